import { expect, test } from 'vitest'
import { headlessReader } from '../../src/cli/headless.ts'
import { describePlan, isLongRun } from '../../src/cli/run-estimate.ts'
import { foldRun, reduceRun } from '../../src/domain/reduce-run.ts'
import { initialState } from '../../src/domain/run-state.ts'
import { RunScript, scriptedServer } from '../support/scripted-run.ts'

/** What a log shows of a scripted run. */
function linesOf(script: RunScript, { quiet = false } = {}): string[] {
  const lines: string[] = []
  const read = headlessReader(
    line => lines.push(line),
    () => '2026-01-01T12:34:56.789Z',
    quiet,
  )
  let state = initialState
  for (const event of script.events) {
    state = reduceRun(state, event)
    read(event, state)
  }
  return lines
}

test('each prefill row and each cell is one line with time, name, figures and status', () => {
  const lines = linesOf(
    new RunScript({ contexts: [8192], concurrency: [4] }).begin().allPrefill().cells(1).end(),
  )
  expect(lines[0]).toBe('12:34:56 http://127.0.0.1:30000: Qwen/Qwen3.5-35B-A3B on sglang 0.5.9')
  expect(lines).toContainEqual(expect.stringMatching(/^12:34:56 prefill 8K: .* tok\/s, TTFT .*, valid/))
  expect(lines).toContainEqual(
    expect.stringMatching(/^12:34:56 cell 8K × 4: .* tok\/s, TTFT .*, ITL .*, valid/),
  )
  expect(lines.at(-1)).toBe('12:34:56 run completed')
})

test('a quiet reader tells of what failed and of nothing else', () => {
  const script = () => new RunScript({ contexts: [8192], concurrency: [1, 2], phases: 'decode' }).begin()
  expect(linesOf(script().cells(2).end(), { quiet: true })).toEqual([])
  expect(linesOf(script().cells(1).fail(1, 'no room').end(), { quiet: true })).toEqual([
    '12:34:56 cell 8K × 2: failed (HTTP 503: no room)',
  ])
})

test('what the server writes cannot move the cursor', () => {
  const script = new RunScript({ contexts: [8192], concurrency: [1], phases: 'decode' })
  const [line] = linesOf(script.begin().fail(0, 'no\u001b[2J room\nleft')).slice(-1)
  expect(line).toBe('12:34:56 cell 8K × 1: failed (HTTP 503: no room left)')
})

test('a plan says what fits, what does not and by how much', () => {
  const server = {
    ...scriptedServer,
    limits: { ...scriptedServer.limits, kvCacheTokens: 98_000, draftTokens: 0 },
  }
  const script = new RunScript({ contexts: [8192, 300_000], concurrency: [1, 8, 128] }, server).begin()
  const text = describePlan(foldRun(script.events))
  expect(text).toMatch(/8K +ok +tight +req/)
  // 8 × (8192 + 4096 + 1) = 98,312 tokens at most, 8 × (8192 + 2048) × 1.05 = 86,016 on average; 300,000 exceed the context on their own.
  expect(text).toMatch(/300000 +ctx +ctx +ctx/)
  expect(text).toContain('req: over capacity by requests; 8K × 128 needs 128, the server has 64')
  expect(text).toContain('ctx: over capacity by context; 300000 × 1 needs 304,096, the server has 262,144')
})

test('a run of more than half an hour is to be confirmed', () => {
  const state = (duration: number) =>
    foldRun(
      new RunScript({ contexts: [8192], concurrency: [1, 2], durationSeconds: duration }).begin().events,
    )
  expect(isLongRun(state(60))).toBe(false)
  expect(isLongRun(state(900))).toBe(true)
})
