import type { GpuSample } from '../domain/hardware-sample.ts'
import type { Clock } from '../runner/ports.ts'
import { parseAmdMetrics, parseAmdStatic, parseRocm } from './amd-json.ts'
import { readCommand } from './command.ts'
import type { GpuReader } from './gpu-reader.ts'
import { pause } from './pause.ts'

/** Each look starts a Python program that works for half a second. */
const paceMs = 2000
/** After so many looks in a row without an answer the GPUs are left alone. */
const missesLeft = 3

const metricFlags = ['--usage', '--power', '--clock', '--temperature', '--mem-usage', '--json']
const staticFlags = ['--asic', '--driver', '--limit', '--vram', '--json']
const rocmFlags = [
  ...['--showuse', '--showpower', '--showmaxpower', '--showtemp', '--showclocks'],
  ...['--showmeminfo', 'vram', '--showproductname', '--showdriverversion', '--json'],
]

/**
 * Follows AMD's GPUs by `amd-smi`, else by the older `rocm-smi`. Resolves when the signal aborts or there is no use in
 * going on; never rejects.
 */
export async function watchAmd(reader: GpuReader, clock: Clock, signal: AbortSignal): Promise<void> {
  const ask = (command: string, args: readonly string[]) => readCommand(command, args, signal)
  const facts = parseAmdStatic((await ask('amd-smi', ['static', ...staticFlags])) ?? '')
  if (facts !== null && facts.length > 0) {
    reader.found(facts)
    await poll(async () => parseAmdMetrics((await ask('amd-smi', ['metric', ...metricFlags])) ?? ''))
    return
  }
  const first = parseRocm((await ask('rocm-smi', rocmFlags)) ?? '')
  if (first === null || first.facts.length === 0) return
  reader.found(first.facts)
  await poll(async () => parseRocm((await ask('rocm-smi', rocmFlags)) ?? '')?.samples ?? null)

  async function poll(look: () => Promise<readonly GpuSample[] | null>): Promise<void> {
    let misses = 0
    while (!signal.aborted && misses < missesLeft) {
      const samples = await look()
      if (signal.aborted) return
      misses = samples === null ? misses + 1 : 0
      if (samples !== null) reader.sampled(samples)
      await pause(paceMs, clock, signal)
    }
  }
}
