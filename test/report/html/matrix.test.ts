import { describe, expect, test } from 'vitest'
import { figureOf } from '../../../src/report/html/figures.ts'
import { legend } from '../../../src/report/html/legend.ts'
import { toHtml } from '../../../src/report/html/markup.ts'
import { matrixTable, type Terms } from '../../../src/report/html/matrix.ts'
import type { View } from '../../../src/report/html/report-run.ts'
import type { ResultCell } from '../../../src/result/schema.ts'
import { cell, runOf } from './cells.ts'

const terms: Terms = { slo: null, runNoise: 0 }

/** Class and text of each cell of the table by its key. */
function cellsOf(view: View, figure = 'total', judged = terms) {
  const html = toHtml(matrixTable(view, figureOf(figure), judged))
  return new Map(
    [...html.matchAll(/<td class="([^"]*)" data-cell="([^"]*)">(.*?)<\/td>/g)].map(
      ([, classes = '', key = '', contents = '']) => [
        key,
        {
          classes: classes.trim().split(/\s+/),
          text: contents
            .replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        },
      ],
    ),
  )
}

const ofRun = (cells: readonly ResultCell[], figure?: string, judged?: Terms) =>
  cellsOf({ kind: 'run', run: runOf(cells) }, figure, judged)

describe('the matrix of a run', () => {
  test('shows the figure and colours it from the lowest to the highest by logarithm', () => {
    const shown = ofRun([
      cell(8192, 1, { total: 100 }),
      cell(8192, 2, { total: 1000 }),
      cell(8192, 4, { total: 10_000 }),
    ])
    expect([...shown.values()].map(({ classes }) => classes[0])).toEqual(['heat-0', 'heat-4', 'heat-7'])
    expect(shown.get('8192x2')?.text).toMatch(/^1,000/)
  })

  test('colours a short TTFT as the best', () => {
    const ttft = (headline: number) => {
      const none = { n: 0, mean: null, p50: null, p90: null, p99: null, max: null }
      return { ttftMs: { headline, source: 'launch', steady: none, launch: none } as const }
    }
    const shown = ofRun([cell(8192, 1, ttft(100)), cell(8192, 2, ttft(800))], 'ttft')
    expect([...shown.values()].map(({ classes }) => classes[0])).toEqual(['heat-7', 'heat-0'])
  })

  test('has in its legend only the marks that occur', () => {
    const named = (...totals: number[]) =>
      [
        ...toHtml(
          legend([runOf(totals.map((total, index) => cell(8192, 2 ** index, { total })))], false),
        ).matchAll(/<b>(.*?)<\/b>/g),
      ].map(([, name]) => name)
    expect(named(100, 190, 200)).toEqual(['best', 'knee'])
    expect(named(100, 190)).toEqual(['best'])
    expect(named()).toEqual([])
  })

  test('marks the best cell and the knee of each row', () => {
    const shown = ofRun([
      cell(8192, 1, { total: 100 }),
      cell(8192, 2, { total: 190 }),
      cell(8192, 4, { total: 200 }),
      cell(16_384, 1, { total: 90 }),
      cell(16_384, 2, { total: 170 }),
    ])
    const marked = (name: string) =>
      [...shown].filter(([, { text }]) => text.includes(name)).map(([key]) => key)
    expect(marked('best')).toEqual(['8192x4'])
    expect(marked('knee')).toEqual(['8192x2'])
  })

  test('gives what must not be compared neither colour nor mark, but its sign', () => {
    const shown = ofRun([cell(8192, 1, { total: 100 }), cell(8192, 2, { total: 900, status: 'invalid' })])
    expect(shown.get('8192x2')?.classes).toEqual(['flat'])
    expect(shown.get('8192x2')?.text).toMatch(/^900\.0 ! invalid/)
    expect(shown.get('8192x1')?.text).toContain('best')
  })

  test('names the limit of a cell that does not fit, and tells 0 from not known', () => {
    const limit = { kind: 'kv-cache', needed: 9, available: 5 } as const
    const queued = (mean: number | null) => {
      const none = { mean: null, max: null }
      return {
        server: {
          running: none,
          queued: { mean, max: mean, share: null },
          kvCacheUsage: none,
          stateSlotUsage: none,
          tokensPerSecond: null,
          agreement: null,
          agreementTolerance: null,
          acceptLength: null,
          retractions: null,
        },
      }
    }
    const shown = ofRun(
      [
        cell(8192, 1, { total: 1, ...queued(0) }),
        cell(8192, 2, { total: 1, ...queued(null) }),
        cell(8192, 4, { status: 'over-capacity', limit, limits: [limit] }),
      ],
      'queue',
    )
    expect(shown.get('8192x1')?.text).toMatch(/^0\.0/)
    expect(shown.get('8192x2')?.text).toMatch(/^–/)
    expect(shown.get('8192x4')?.text).toBe('× KV cache : over capacity')
  })

  test('marks the most requests that hold the limits someone asked', () => {
    const ttft = (p50: number) => {
      const all = { n: 30, mean: p50, p50, p90: p50, p99: null, max: p50 }
      return { total: 1, ttftMs: { headline: p50, source: 'steady', steady: all, launch: all } as const }
    }
    const shown = ofRun(
      [cell(8192, 1, ttft(100)), cell(8192, 2, ttft(400)), cell(8192, 4, ttft(900))],
      'total',
      { slo: { ttftMs: 500, itlMs: null }, runNoise: 0 },
    )
    expect([...shown].filter(([, { text }]) => text.includes('SLO')).map(([key]) => key)).toEqual(['8192x2'])
  })
})

describe('the matrix of a difference', () => {
  const between = (from: readonly ResultCell[], to: readonly ResultCell[], figure?: string) =>
    cellsOf({ kind: 'difference', from: runOf(from, 'old'), to: runOf(to, 'new') }, figure)

  test('shows the change, and calls it better or worse only beyond the noise', () => {
    // 95 % half-widths of 1 %: their difference has one of 1.4 %.
    const shown = between(
      [
        cell(8192, 1, { total: 100, ci95: 1 }),
        cell(8192, 2, { total: 200, ci95: 2 }),
        cell(8192, 4, { total: 300, ci95: 3 }),
      ],
      [
        cell(8192, 1, { total: 120, ci95: 1.2 }),
        cell(8192, 2, { total: 180, ci95: 1.8 }),
        cell(8192, 4, { total: 301, ci95: 3 }),
      ],
    )
    expect([...shown.values()].map(({ classes, text }) => [classes[0], text])).toEqual([
      ['gain-3', '+20.0% ✓ better 100.0 → 120.0'],
      ['loss-2', '-10.0% ✗ worse 200.0 → 180.0'],
      ['flat', '+0.3% = same 300.0 → 301.0'],
    ])
  })

  test('compares no cell that one run does not have, or whose figures must not be compared', () => {
    const shown = between(
      [cell(8192, 1, { total: 100 }), cell(8192, 2, { total: 100 })],
      [cell(8192, 1, { total: 100, status: 'invalid' }), cell(8192, 4, { total: 100 })],
    )
    expect([...shown.values()].map(({ text }) => text)).toEqual([
      '– 100.0 → invalid',
      '– 100.0 → not there',
      '– not there → 100.0',
    ])
  })

  test('judges no figure that has no interval', () => {
    const shown = between(
      [cell(8192, 1, { total: 1, tokensPerChunk: 4 })],
      [cell(8192, 1, { total: 1, tokensPerChunk: 3 })],
      'chunk',
    )
    expect(shown.get('8192x1')).toEqual({ classes: ['loss-3'], text: '-25.0% 4.00 → 3.00' })
  })
})
