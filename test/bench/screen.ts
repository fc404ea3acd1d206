// node test/bench/screen.ts   what the screen costs: delay of the load's stamps with it and without, its CPU, its bytes. The
// built command in a pseudo-terminal at 128 streams, with a load worker that records delays. Linux only.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from '@lydell/node-pty'
import { build } from 'esbuild'
import { z } from 'zod'
import { bundle } from '../../bin/build.ts'
import { median } from '../../src/domain/statistics.ts'
import { startTokgrid, startTruthServer } from '../support/process.ts'
import { DelayCounts, delaysFile } from './delay-counts.ts'
import { cpuMs } from './process-cpu.ts'

const streams = 128
const rate = 50
/** The window is open by then, and stays open for the time of measuring. */
const settleMs = 5000
const seconds = 10

type Size = { readonly columns: number; readonly rows: number }
type Cost = { readonly p50: number; readonly p99: number; readonly cores: number; readonly bytes: number }

async function cost(folder: string, size: Size | null): Promise<Cost> {
  const server = await startTruthServer({ rate, tellsSendTime: true })
  const delays = join(folder, 'delays.json')
  const words = [
    ...['run', server.url, '--skip-prefill', '--contexts', '1k', '--concurrency', String(streams), '-y'],
    ...['--duration', `${settleMs / 1000 + seconds + 5}s`, '-o', join(folder, 'out.json')],
  ]
  const main = join(folder, 'dist/main.js')
  const env = { ...process.env, LANG: 'C.UTF-8', [delaysFile]: delays }
  let written = 0
  // No emulator at the other end: its work would count against the load here.
  const terminal =
    size === null
      ? null
      : spawn(process.execPath, [main, ...words], {
          cols: size.columns,
          rows: size.rows,
          name: 'xterm-256color',
          env,
        })
  terminal?.onData(data => {
    written += Buffer.byteLength(data)
  })
  const headless =
    size === null ? startTokgrid([...words, '--headless'], { [delaysFile]: delays }, main) : null
  const pid = terminal?.pid ?? headless?.child.pid ?? 0
  await sleep(settleMs)
  const [before, cpu, bytes] = [readDelays(delays), cpuMs(pid), written]
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  const ms = performance.now() - startedAt
  const counts = new DelayCounts()
  counts.merge(readDelays(delays).map((count, bin) => count - (before[bin] ?? 0)))
  const result = {
    p50: counts.quantile(0.5),
    p99: counts.quantile(0.99),
    cores: (cpuMs(pid) - cpu) / ms,
    bytes: ((written - bytes) / ms) * 1000,
  }
  terminal?.kill('SIGKILL')
  headless?.child.kill('SIGKILL')
  server.stop()
  return result
}

function readDelays(path: string): number[] {
  return z.array(z.number()).parse(JSON.parse(readFileSync(path, 'utf8')))
}

/** `tries` rounds of all sizes in turn; prints the medians, and the screen's share beside the headless run of the same rounds. */
export async function benchScreen(tries: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-screen-'))
  cpSync('package.json', join(folder, 'package.json'))
  const entryPoints = { ...bundle.entryPoints, 'load-worker': 'test/bench/recording-worker.ts' }
  await build({ ...bundle, entryPoints, outdir: join(folder, 'dist') })
  const sizes: readonly (Size | null)[] = [
    null,
    { columns: 80, rows: 24 },
    { columns: 120, rows: 36 },
    { columns: 200, rows: 50 },
  ]
  const costs = sizes.map((): Cost[] => [])
  for (let round = 0; round < tries; round++)
    for (const [index, size] of sizes.entries()) costs[index]?.push(await cost(folder, size))
  rmSync(folder, { recursive: true })
  const figure = (index: number, of: (one: Cost) => number) =>
    median((costs[index] ?? []).map(of)) ?? Number.NaN
  for (const [index, size] of sizes.entries()) {
    const [p50, p99] = [figure(index, one => one.p50), figure(index, one => one.p99)]
    const ratio = (p99 / figure(0, one => one.p99)).toFixed(2)
    const screen = figure(index, one => one.cores) - figure(0, one => one.cores)
    process.stdout.write(
      `${(size === null ? 'headless' : `${size.columns}×${size.rows}`).padStart(9)}: stamp delay p50 ${p50.toFixed(1)} ms, ` +
        `p99 ${p99.toFixed(1)} ms (${ratio} × headless); ${figure(index, one => one.cores).toFixed(2)} cores, ` +
        `the screen ${(100 * screen).toFixed(1)} % of one; ${(figure(index, one => one.bytes) / 1000).toFixed(1)} KB/s\n`,
    )
  }
}

if (import.meta.main) {
  await benchScreen(3)
  process.exit(0)
}
