import { type CellPass, samplesInWindow } from './cell-summary.ts'
import type { ServerSample } from './server-sample.ts'
import { mean } from './statistics.ts'
import type { Reason } from './verdict.ts'

/** The server runs so many more than we have under way: half a request, since means may be fractions. */
const excess = 0.5
/** A request that ended may be counted for a step more; only what lasts is somebody else's. */
const lastingMs = 2000

/** Whether the server ran requests beside ours for 2 s or longer inside the window, by fresh samples in a row. */
export function foreignLoad(pass: CellPass): Reason[] {
  const readings = samplesInWindow(pass)
    .filter(({ fresh }) => fresh)
    .flatMap(({ at, running }) => (running === null ? [] : [{ at, running, ours: underWayAt(pass, at) }]))
  const longest = stretches(readings).reduce<typeof readings>(
    (best, stretch) => (spanMs(stretch) > spanMs(best) ? stretch : best),
    [],
  )
  const running = mean(longest.map(reading => reading.running))
  const ours = mean(longest.map(reading => reading.ours))
  if (spanMs(longest) < lastingMs || running === null || ours === null) return []
  return [{ kind: 'foreign-load', detail: 'in-window', running, ours, seconds: spanMs(longest) / 1000 }]
}

type Reading = { readonly at: number; readonly running: number; readonly ours: number }

/** Runs of neighbouring readings with more running than we have. */
function stretches(readings: readonly Reading[]): Reading[][] {
  const found: Reading[][] = [[]]
  for (const reading of readings) {
    if (reading.running - reading.ours >= excess) found.at(-1)?.push(reading)
    else found.push([])
  }
  return found
}

function spanMs(stretch: readonly Reading[]): number {
  return (stretch.at(-1)?.at ?? 0) - (stretch[0]?.at ?? 0)
}

function underWayAt({ traces }: CellPass, at: ServerSample['at']): number {
  return traces.filter(({ writtenAt, endedAt }) => writtenAt !== null && writtenAt <= at && endedAt > at)
    .length
}
