import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import type { ResultCell } from '../../src/result/schema.ts'
import { type TruthServer, tokgrid } from './process.ts'

/** What a cell says, and what the server really sent while its window was open. */
export type TruthCell = {
  readonly cell: ResultCell
  readonly sent: { readonly chunks: number; readonly tokens: number; readonly seconds: number }
}

const sentShape = z.object({ chunks: z.number(), tokens: z.number() })
const eventShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run-started'), at: z.number(), wallTime: z.string() }),
  z.object({
    kind: z.literal('window-announced'),
    window: z.object({ from: z.number(), to: z.number() }),
  }),
])

/**
 * The built bin, headless, against a truth server: each measured cell beside the server's own log of the same window.
 * The run's clock is set to the wall clock by the run's first event, which is good to about a millisecond.
 */
export async function runAgainstTruth(
  { url }: TruthServer,
  words: readonly string[],
): Promise<readonly TruthCell[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-truth-'))
  const [file, events] = [join(folder, 'out.json'), join(folder, 'events.ndjson')]
  try {
    const { stderr } = await tokgrid(['run', url, '--headless', ...words, '-o', file, '--events', events])
    const { decode } = readResultFile(file)
    const windows = wallWindows(readFileSync(events, 'utf8'))
    const measured = decode.filter(({ totalTokensPerSecond }) => totalTokensPerSecond !== null)
    if (measured.length !== windows.length)
      throw new Error(`${windows.length} windows for ${measured.length} cells:\n${stderr}`)
    return await Promise.all(
      measured.map(async (cell, index) => {
        const { from, to } = windows[index] ?? { from: 0, to: 0 }
        const answer = await fetch(`${url}/sent?from=${from}&to=${to}`)
        return { cell, sent: { ...sentShape.parse(await answer.json()), seconds: (to - from) / 1000 } }
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The windows of a run, ms since the epoch. */
function wallWindows(lines: string): { readonly from: number; readonly to: number }[] {
  let epoch = 0
  return lines
    .trim()
    .split('\n')
    .flatMap(line => {
      const { success, data } = eventShape.safeParse(JSON.parse(line))
      if (!success) return []
      if (data.kind === 'window-announced')
        return [{ from: epoch + data.window.from, to: epoch + data.window.to }]
      epoch = Date.parse(data.wallTime) - data.at
      return []
    })
}
