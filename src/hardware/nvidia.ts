import type { Clock } from '../runner/ports.ts'
import { readCommand, readLines } from './command.ts'
import type { GpuReader } from './gpu-reader.ts'
import { type NvidiaRow, nvidiaQueries, parseMigInstances, parseNvidiaRow } from './nvidia-csv.ts'
import { pause } from './pause.ts'

export type Timing = {
  /** Without persistence mode a driver takes seconds to wake up eight GPUs. */
  readonly silenceMs: number
  /** Before it is started again, after the first, second, … end; after the last it is left alone. */
  readonly restartMs: readonly number[]
  /** One that ran for so long and then ended starts a new count. */
  readonly longRunMs: number
}

const defaultTiming: Timing = { silenceMs: 10_000, restartMs: [1000, 5000, 30_000], longRunMs: 60_000 }
const command = 'nvidia-smi'

/**
 * Follows NVIDIA's GPUs through one `nvidia-smi` that repeats itself. Asks an old driver for fewer fields, starts a dead
 * or silent one again a few times. Resolves with whether it told anything, when the signal aborts or there is no use in
 * going on; never rejects.
 */
export async function watchNvidia(
  reader: GpuReader,
  clock: Clock,
  signal: AbortSignal,
  { silenceMs, restartMs, longRunMs }: Timing = defaultTiming,
): Promise<boolean> {
  /** Begun by the first round. */
  let listed: Promise<void> | null = null
  let query = nvidiaQueries[0]
  let ends = 0
  const onRound = (rows: readonly NvidiaRow[]) => {
    listed ??= tellFacts(rows, reader, signal)
    reader.sampled(rows.map(({ sample }) => sample))
  }
  while (!signal.aborted) {
    const { fields, loop } = query
    const startedAt = clock.now()
    const onRow = collectRounds(onRound)
    const args = [`--query-gpu=${fields.join(',')}`, '--format=csv,noheader,nounits', loop]
    const end = await readLines(command, args, {
      onLine: line => {
        const row = parseNvidiaRow(line, fields)
        if (row !== null) onRow(row)
      },
      ...{ silenceMs, clock, signal },
    })
    if (end === 'absent') break
    if (listed === null) {
      const older = nvidiaQueries[nvidiaQueries.indexOf(query) + 1]
      query = older ?? nvidiaQueries[0]
      if (older !== undefined) continue
    }
    ends = clock.now() - startedAt >= longRunMs ? 1 : ends + 1
    const delayMs = restartMs[ends - 1]
    if (delayMs === undefined) break
    await pause(delayMs, clock, signal)
  }
  await listed
  return listed !== null
}

/** What the rows do not tell, a second command does; without MIG nothing is told twice. */
async function tellFacts(rows: readonly NvidiaRow[], reader: GpuReader, signal: AbortSignal): Promise<void> {
  const gpus = rows.map(({ facts }) => facts)
  reader.found(gpus)
  const instances = parseMigInstances((await readCommand(command, ['-L'], signal)) ?? '')
  const cut = gpus.map(gpu => ({ ...gpu, migInstances: instances.get(gpu.index) ?? [] }))
  if (!signal.aborted && cut.some(({ migInstances }) => migInstances.length > 0)) reader.found(cut)
}

/** Puts the rows of a round together: all that were announced, or those up to the next beginning. */
export function collectRounds(onRound: (rows: readonly NvidiaRow[]) => void): (row: NvidiaRow) => void {
  let round: NvidiaRow[] = []
  const end = () => {
    if (round.length > 0) onRound(round)
    round = []
  }
  return row => {
    const last = round.at(-1)
    if (last !== undefined && row.facts.index <= last.facts.index) end()
    round.push(row)
    if (round.length === row.count) end()
  }
}
