import type { EngineDriver } from './engine-driver.ts'
import type { Host } from './host.ts'
import type { Route } from './http-call.ts'
import { sendText } from './reply.ts'

/** Empties the prefix cache when nothing runs; newer servers wait for that as long as the query says. */
export function flushRoute({ driver, view }: Host): Route {
  let isWaiting = false
  return async ({ response, query }) => {
    const timeoutMs = view.dialect.flushWaits ? Number(query.get('timeout') ?? 0) * 1000 : 0
    if (isWaiting) return sendText(response, 400, 'Flush cache failed: one is already in progress.\n')
    isWaiting = true
    const isFlushed = await flushWithin(driver, timeoutMs)
    isWaiting = false
    if (isFlushed) sendText(response, 200, 'Cache flushed.\n')
    else sendText(response, 400, 'Flush cache failed: there are running or waiting requests.\n')
  }
}

async function flushWithin(driver: EngineDriver, timeoutMs: number): Promise<boolean> {
  if (driver.engine.flush()) return true
  if (!(timeoutMs > 0)) return false
  return await new Promise(resolve => {
    const end = (isFlushed: boolean) => {
      clearTimeout(timer)
      unwatch()
      resolve(isFlushed)
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    const unwatch = driver.watch(() => {
      if (driver.engine.flush()) end(true)
    })
  })
}
