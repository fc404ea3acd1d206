// node test/bench/truth.ts   every figure beside what the server really sent in the same window: how far is each off?
import { startTruthServer } from '../support/process.ts'
import { runAgainstTruth } from '../support/truth-run.ts'

const rate = 100

type Case = { readonly streams: string; readonly tokensPerChunk: number; readonly steps: string }

const cases: readonly Case[] = [
  { streams: '1,32,128', tokensPerChunk: 1, steps: 'free' },
  { streams: '1,32,128', tokensPerChunk: 4, steps: 'free' },
  { streams: '1,32,128', tokensPerChunk: 8, steps: 'free' },
  { streams: '1,32,128', tokensPerChunk: 1, steps: 'synchronised' },
  { streams: '1,32,128', tokensPerChunk: 4, steps: 'synchronised' },
  { streams: '1,32,128', tokensPerChunk: 8, steps: 'synchronised' },
]

/** Prints the difference of each figure from the truth, %. */
export async function benchTruth(seconds: number): Promise<void> {
  line(['steps', 'tokens/chunk', 'streams', 'total', 'ITL p50', 'steps/s', 'status', 'reasons'])
  for (const { streams, tokensPerChunk, steps } of cases) {
    const server = await startTruthServer({ rate, tokensPerChunk, steps, isPrecise: true })
    const words = ['--skip-prefill', '--contexts', '1k', '--concurrency', streams]
    const cells = await runAgainstTruth(server, [...words, '--duration', `${seconds}s`])
    server.stop()
    for (const { cell, sent } of cells)
      line([
        steps,
        tokensPerChunk,
        cell.concurrency,
        percent((cell.outputTokens ?? 0) / sent.tokens),
        percent(((cell.itlMs?.p50 ?? 0) * rate) / 1000),
        percent(((cell.stepsPerSecond ?? 0) * tokensPerChunk) / rate),
        cell.status,
        cell.reasons.map(({ kind }) => kind).join(' '),
      ])
  }
}

function line(cells: readonly (string | number)[]): void {
  process.stdout.write(`${cells.map(cell => String(cell).padStart(13)).join('')}\n`)
}

function percent(ratio: number): string {
  return `${((ratio - 1) * 100).toFixed(3)} %`
}

if (import.meta.main) await benchTruth(10)
