import { clientLoad } from '../domain/judge-cell.ts'
import { quantile } from '../domain/statistics.ts'
import { amount, count, milliseconds, percent } from '../format/units.ts'
import { clockOffset } from './clock-offset.ts'
import { type Finding, fail, notTold, ok, warn } from './finding.ts'
import type { LatencyProbe } from './latency-probe.ts'
import type { SelfTest } from './self-test.ts'

/** What a terminal can show; `null`: the output is none. */
export type Terminal = {
  readonly columns: number
  readonly rows: number
  readonly colours: 0 | 16 | 256
  readonly unicode: boolean
} | null

/** Files beside the streams: threads, requests to the server's pages, outputs. */
const otherFiles = 100
/** A way of this length is a good part of a TTFT, and every step's chunk comes that much late. */
const longRoundTripMs = 20
/** From here on the stamps of the server's log and ours do not go together. */
const clockToleranceMs = 2000
/** A simulated server that sent less did not show whether the client keeps up. */
const fullShare = 0.95
const leastTerminal = { columns: 60, rows: 16 }

/** The way to the server: TTFT contains it. */
export function checkLatency({ connectMs, roundTripMs }: LatencyProbe): Finding {
  const sorted = roundTripMs.toSorted((a, b) => a - b)
  const p50 = quantile(sorted, 0.5)
  if (p50 === null) return notTold('latency', 'no small request was answered', null)
  const saw = `a small GET takes p50 ${milliseconds(p50)}, p99 ${milliseconds(quantile(sorted, 0.99))}; connecting ${milliseconds(connectMs)}`
  return p50 <= longRoundTripMs
    ? ok('latency', saw)
    : warn('latency', `${saw}: each TTFT holds it`, 'run tokgrid on the machine of the server')
}

export function checkClock({ dated }: LatencyProbe): Finding {
  const offset = clockOffset(dated)
  if (offset === null)
    return notTold('clock', 'answers have no date, or dates that contradict each other', null)
  const { offsetMs, uncertaintyMs } = offset
  const saw = `the server’s clock is ${seconds(offsetMs)} from ours, ±${(uncertaintyMs / 1000).toFixed(1)} s`
  return Math.abs(offsetMs) - uncertaintyMs <= clockToleranceMs
    ? ok('clock', saw)
    : warn(
        'clock',
        `${saw}: times in its log are not ours`,
        'set the clocks by NTP; figures do not depend on them',
      )
}

function seconds(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(1)} s`
}

/** The rule by which a cell is `client-limited`, at the streams wanted and the rate that the server was seen to have. */
export function checkSelfTest(test: SelfTest | null): Finding {
  if (test === null) return notTold('load-threads', 'the simulated server sent nothing', null)
  const { streams, chunksPerSecond, chunksPerSecondWanted, client } = test
  const [reason] = clientLoad({ client, itlMs: { p50: (1000 * streams) / chunksPerSecondWanted } })
  const saw =
    `${amount(streams, 'stream')}: ${count(chunksPerSecond)} of ${count(chunksPerSecondWanted)} chunks/s; ` +
    `stamps late by p99 ${milliseconds(client.loopDelayP99Ms)}, ${amount(client.workers, 'thread')} ${percent(client.loopUtilisation)} busy`
  const fix =
    'give fewer streams by --concurrency, more threads by --workers, or a machine with more free cores'
  if (reason?.kind === 'client-limited') return fail('load-threads', saw, fix)
  if (chunksPerSecond < fullShare * chunksPerSecondWanted)
    return warn('load-threads', `${saw}: the simulated server did not send as much as was wanted`, fix)
  if (reason !== undefined) return warn('load-threads', saw, fix)
  return ok('load-threads', saw)
}

export function checkOpenFiles(limit: number | null, streams: number): Finding {
  const needed = streams + otherFiles
  if (limit === null) return notTold('open-files', 'the system does not tell its limit, or has none', null)
  const saw = `${count(limit)} files may be open, ${amount(streams, 'stream')} need about ${count(needed)}`
  return limit >= needed ? ok('open-files', saw) : fail('open-files', saw, `ulimit -n ${needed}`)
}

export function checkTerminal(terminal: Terminal): Finding {
  if (terminal === null) return ok('terminal', 'none: runs write plain lines')
  const { columns, rows, colours, unicode } = terminal
  const saw = `${columns}×${rows}, ${colours === 0 ? 'no colours' : `${colours} colours`}, ${unicode ? 'UTF-8' : 'ASCII only'}`
  return columns >= leastTerminal.columns && rows >= leastTerminal.rows
    ? ok('terminal', saw)
    : warn(
        'terminal',
        `${saw}: too small for the grid`,
        `make it at least ${leastTerminal.columns}×${leastTerminal.rows}, better 120×36, or give --headless`,
      )
}
