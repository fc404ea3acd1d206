import { describe, expect, test } from 'vitest'
import { linearAxis } from '../../../src/report/html/axis.ts'
import { drawPlot } from '../../../src/report/html/draw-plot.ts'
import { frontierPlot, throughputPlot } from '../../../src/report/html/load-plots.ts'
import { toHtml } from '../../../src/report/html/markup.ts'
import { type Plot, type PlotPoint, placePoints } from '../../../src/report/html/plot.ts'
import { cell, runOf } from './cells.ts'

const size = { width: 500, height: 300 }

function plotOf(points: readonly (PlotPoint | null)[]): Plot {
  const axis = linearAxis([100], String)
  return {
    title: 'a',
    xTitle: 'x',
    yTitle: 'y',
    about: '',
    x: axis,
    y: axis,
    lines: [{ name: '', colour: 0, run: 0, points }],
  }
}

function point(x: number, y: number, mark: PlotPoint['mark'] = 'full'): PlotPoint {
  return { x, y, spread: null, mark, text: '', cell: null }
}

/** The paths of a plot's lines as lists of how many points each stroke joins. */
function strokes(plot: Plot): readonly (readonly number[])[] {
  const paths = [...toHtml(drawPlot(plot, size)).matchAll(/<g class="line [^"]*"><path d="([^"]*)"/g)]
  return paths.map(([, d = '']) =>
    d
      .split('M')
      .slice(1)
      .map(stroke => stroke.split('L').length),
  )
}

describe('a line', () => {
  test('breaks at a gap instead of passing over it', () => {
    expect(
      strokes(plotOf([point(0, 1), point(10, 2), null, point(30, 3), point(40, 4), point(50, 5)])),
    ).toEqual([[2, 3]])
  })

  test('leads to no point that must not be compared', () => {
    expect(strokes(plotOf([point(0, 1), point(10, 99, 'cross'), point(20, 3)]))).toEqual([[2]])
  })

  test('shows a point that has no neighbours', () => {
    const dots = (plot: Plot) => toHtml(drawPlot(plot, size)).match(/class="dot/g)?.length ?? 0
    expect(dots(plotOf([point(0, 1, 'none'), null, point(20, 3, 'none'), point(30, 3, 'none')]))).toBe(1)
  })

  test('stays inside the plot at every width', () => {
    for (const width of [200, 390, 1200])
      for (const { left, top } of placePoints(plotOf([point(0, 0), point(100, 100)]), {
        width,
        height: 200,
      }).flat()) {
        expect(left).toBeGreaterThanOrEqual(0)
        expect(left).toBeLessThanOrEqual(width)
        expect(top).toBeGreaterThanOrEqual(0)
        expect(top).toBeLessThanOrEqual(200)
      }
  })
})

describe('the curves over all cells', () => {
  const run = runOf([
    cell(8192, 4, { total: 300, perRequestTokensPerSecond: { n: 9, p50: 80, p10: 70 } }),
    cell(8192, 1, { total: 100, perRequestTokensPerSecond: { n: 9, p50: 100, p10: 90 } }),
    cell(8192, 2, { total: 90, perRequestTokensPerSecond: { n: 9, p50: 50, p10: 40 } }),
    cell(16_384, 1, { total: 80 }),
  ])

  test('have a line for each context, ascending in concurrency', () => {
    const { lines } = throughputPlot([{ run, place: 0 }])
    expect(lines.map(({ name, points }) => [name, points.map(one => one?.x)])).toEqual([
      ['8K', [1, 2, 4]],
      ['16K', [1]],
    ])
  })

  test('join on the frontier the cells that no other beats in both directions', () => {
    const [line] = frontierPlot([{ run, place: 0 }]).lines
    expect(line?.points.map(one => one?.mark)).toEqual(['full', 'aside', 'full'])
  })

  test('name a line once, however many runs have it, and tell the runs apart by stroke', () => {
    const { lines } = throughputPlot([
      { run, place: 0 },
      { run: runOf([cell(8192, 1, { total: 1 })], 'B'), place: 1 },
    ])
    expect(lines.map(({ name, run: stroke }) => [name, stroke])).toEqual([
      ['8K', 0],
      ['16K', 0],
      ['', 1],
      ['', 1],
    ])
  })
})

test('names of lines that end at one place do not cover one another', () => {
  const ends = [100, 99.9, 99.8].map(y => [point(0, 0), point(50, y)])
  const plot = {
    ...plotOf([]),
    lines: ends.map((points, run) => ({ name: `n${run}`, colour: run, run, points })),
  }
  const tops = [...toHtml(drawPlot(plot, size)).matchAll(/class="name[^>]* y="([\d.]+)"/g)].map(([, y]) =>
    Number(y),
  )
  expect(tops).toHaveLength(3)
  for (const [index, top] of tops.slice(1).entries())
    expect(top - (tops[index] ?? 0)).toBeGreaterThanOrEqual(12)
})
