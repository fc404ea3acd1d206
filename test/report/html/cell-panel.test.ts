import { expect, test } from 'vitest'
import { cellPanel } from '../../../src/report/html/cell-panel.ts'
import { toHtml } from '../../../src/report/html/markup.ts'
import { noFigures } from '../../../src/result/build-result.ts'
import type { ResultCell } from '../../../src/result/schema.ts'
import { cell, runOf } from './cells.ts'

function panelOf(...runs: readonly (readonly ResultCell[])[]) {
  const placed = runs.map((cells, place) => ({ run: runOf(cells, ['old', 'new'][place]), place }))
  const panel = cellPanel('8192x4', placed)
  const text = toHtml(panel?.markup ?? null)
    .replaceAll(/<title>.*?<\/title>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return { panel, text }
}

const series = {
  secondsPerPoint: 2,
  tokensPerSecond: [100, 110, 120],
  ttftMs: [null, 250, null],
  running: [4, 4, 4],
  queued: [0, 0, 0],
  kvCacheUsage: [null, null, null],
}

test('a cell tells its status and each reason in a sentence', () => {
  const { panel, text } = panelOf([
    cell(8192, 4, {
      total: 100,
      status: 'invalid',
      reasons: [{ kind: 'client-limited', loopDelayP99Ms: 300, loopUtilisation: 0.97 }],
    }),
  ])
  expect(panel?.title).toBe('8K × 4')
  expect(text).toContain('! invalid – measured, but must not be compared')
  expect(text).toContain('this client did not keep up (load thread late by 300 ms at p99, 97% busy)')
})

test('figures that are not known are left out, zero is not', () => {
  const { text } = panelOf([
    cell(8192, 4, {
      total: 100,
      stepsPerSecond: 0,
      requests: { started: 8, completed: 4, cutOff: 4, failed: 0, stalled: null },
    }),
  ])
  expect(text).toContain('Steps/s 0.0')
  expect(text).toContain('failed 0')
  expect(text).not.toContain('stalled')
  expect(text).not.toContain('Server')
})

test('a course has a curve for each figure that was seen, and stands as numbers beneath', () => {
  const { panel, text } = panelOf([cell(8192, 4, { total: 110, series })])
  expect(panel?.figures.map(({ plot }) => plot.title)).toEqual([
    'Throughput',
    'Time to first token',
    'Running',
    'Queued',
  ])
  expect(text).toContain('3.00 s 110.0 250 ms 4.0 0.0 –')
  expect(panel?.figures[1]?.plot.lines[0]?.points.map(point => point?.y)).toEqual([undefined, 250, undefined])
})

test('several runs stand side by side, each with its stroke', () => {
  const { panel, text } = panelOf(
    [cell(8192, 4, { total: 100, series })],
    [cell(8192, 4, { total: 125, series: { ...series, secondsPerPoint: 3 } })],
  )
  expect(text).toContain('Total tok/s 100.0 125.0')
  expect(panel?.figures[0]?.plot.lines.map(({ run }) => run)).toEqual([0, 1])
  // 3 s: the second point of the one, none of the other.
  expect(text).toContain('3.00 s 110.0 250 ms 4.0 0.0 – – – – – –')
})

test('what a cell had that was cut short stands apart', () => {
  const { text } = panelOf([
    cell(8192, 4, { status: 'not-run', partial: { ...noFigures, outputTokens: 1234 } }),
  ])
  expect(text).toMatch(/It was cut short\..* Output tokens 1,234/)
})

test('a cell that no run has has no panel', () => {
  expect(panelOf([cell(8192, 2)]).panel).toBe(null)
})
