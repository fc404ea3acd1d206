import type { LifeFault } from '../faults.ts'
import type { EngineDriver } from './engine-driver.ts'

/** Calls back once, when so many tokens and then so much time have passed from now on; what it returns calls that off. */
export function whenDue(
  { afterTokens, afterMs }: LifeFault,
  driver: EngineDriver,
  onDue: () => void,
): () => void {
  const target = driver.outputTokens + afterTokens
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    if (driver.outputTokens < target) return
    unwatch()
    timer = setTimeout(onDue, afterMs)
  }
  const unwatch = driver.watch(check)
  check()
  return () => {
    unwatch()
    clearTimeout(timer)
  }
}
