import { type DecodeCost, effectiveMaxRunning, type Profile } from '../profile.ts'
import { significant } from './fit-prefill.ts'
import { dot, fitRelative } from './least-deviation.ts'
import { median } from './measure-profile.ts'
import type { MeasuredCell, MeasuredTable } from './measured-table.ts'

/**
 * Cost of a decode step, and tokens of a stream in it. Where the table tells step times, both are measured; else only their ratio
 * is, and the tokens stay the base's.
 */
export function fitDecode(
  { cells, maxOutputTokens }: MeasuredTable,
  base: Profile,
): { readonly decode: DecodeCost; readonly acceptLength: number } {
  const told = cells.flatMap(({ tokensPerStep }) => (tokensPerStep === null ? [] : [tokensPerStep]))
  const acceptLength = significant(median(told) ?? base.speculative?.acceptLength ?? 1)
  const maxRunning = effectiveMaxRunning(base.limits)
  const points = cells.flatMap(cell => {
    // What a replacement waits for is what a lone request waits for; the C first requests wait for each other.
    const lone = cells.find(
      ({ contextTokens, concurrency }) => contextTokens === cell.contextTokens && concurrency === 1,
    )
    const waitMs = lone?.launchTtftMs ?? cell.launchTtftMs ?? 0
    const streams = Math.min(cell.concurrency, maxRunning)
    const ms = cell.stepMs ?? stepMs(cell, { acceptLength, streams, maxOutputTokens, waitMs })
    return ms === null ? [] : [{ ms, streams, held: streams * (cell.contextTokens + maxOutputTokens / 2) }]
  })
  if (points.length < 4) return { decode: base.decode, acceptLength }
  const targets = points.map(({ ms }) => ms)
  let best: { decode: DecodeCost; deviation: number } | null = null
  for (let percent = 20; percent <= 120; percent += 2) {
    const streamExponent = percent / 100
    const rows = points.map(({ streams, held }) => [1, streams ** streamExponent, held])
    const coefficients = fitRelative(rows, targets)
    const deviation = rows.reduce(
      (sum, row, i) => sum + Math.abs(dot(row, coefficients) / (targets[i] ?? 1) - 1),
      0,
    )
    const [fixedMs = 0, streamMs = 0, contextMs = 0] = coefficients.map(significant)
    if (best === null || deviation < best.deviation)
      best = { decode: { fixedMs, streamMs, streamExponent, contextMs }, deviation }
  }
  return { decode: best?.decode ?? base.decode, acceptLength }
}

/** What a step takes for the cell's total to come out: streams decode all the time but while they wait for their next first token. */
function stepMs(
  { totalTokensPerSecond, concurrency }: MeasuredCell,
  given: { acceptLength: number; streams: number; maxOutputTokens: number; waitMs: number },
): number | null {
  if (totalTokensPerSecond === null) return null
  const { acceptLength, streams, maxOutputTokens } = given
  // With others in the queue, the place of who waits is taken.
  const waitMs = concurrency > streams ? 0 : given.waitMs
  const roundMs = (maxOutputTokens * streams * 1000) / totalTokensPerSecond
  return (acceptLength * Math.max(roundMs / 2, roundMs - waitMs)) / maxOutputTokens
}
