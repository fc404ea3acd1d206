// node test/bench/memory.ts   the most memory that a whole headless run holds, with prompts of full length. Linux only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTokgrid, startTruthServer } from '../support/process.ts'

/** Peak resident memory of the built bin in one cell of 8K tokens, MB. */
export async function benchMemory(counts: readonly number[]): Promise<void> {
  for (const streams of counts) {
    // Few chunks a second: memory is what counts here, and a server that falls behind would not let the cell begin.
    const server = await startTruthServer({ rate: 10, kvTokens: 1e9, ttftMs: 1 })
    const folder = mkdtempSync(join(tmpdir(), 'tokgrid-memory-'))
    const words = ['--headless', '--skip-prefill', '--contexts', '8k', '--concurrency', String(streams)]
    const { child, finished } = startTokgrid([
      ...['run', server.url, ...words],
      ...['--duration', '5s', '-o', join(folder, 'out.json')],
    ])
    let peak = 0
    const look = setInterval(() => {
      peak = Math.max(peak, peakMegabytes(child.pid ?? 0))
    }, 100)
    const { code, stderr } = await finished
    clearInterval(look)
    server.stop()
    rmSync(folder, { recursive: true })
    const cell = /cell .*/.exec(stderr)?.[0] ?? 'no cell'
    process.stdout.write(
      `${String(streams).padStart(5)} streams with prompts of 8K tokens: peak ${peak.toFixed(0)} MB (${cell}; ended with ${code})\n`,
    )
  }
}

/** The kernel's own high-water mark of the process; 0 where there is none. */
function peakMegabytes(pid: number): number {
  try {
    const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return (Number(kibibytes ?? 0) * 1024) / 1e6
  } catch {
    return 0
  }
}

if (import.meta.main) await benchMemory([128, 1024])
