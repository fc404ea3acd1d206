import { describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import type { RunState } from '../../src/domain/run-state.ts'
import { toAscii } from '../../src/format/ascii.ts'
import { figureAt, figures } from '../../src/tui/figures.ts'
import { gridLines } from '../../src/tui/grid.ts'
import type { CellLines } from '../../src/tui/layout.ts'
import { marks, signs } from '../../src/tui/marks.ts'
import { selectGrid } from '../../src/tui/select-grid.ts'
import type { Place } from '../../src/tui/selection.ts'
import { lineWidth } from '../../src/tui/span.ts'
import { paint } from '../../src/tui/theme.ts'
import { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

const plain = { colours: 0, ascii: false } as const

function shown(
  state: RunState,
  selected: Place | null,
  {
    figure = 0,
    width = 80,
    height = 11,
    cellLines = 1,
    ascii = false,
  }: { figure?: number; width?: number; height?: number; cellLines?: CellLines; ascii?: boolean } = {},
): readonly string[] {
  const shownFigure = figureAt(figure)
  const view = selectGrid(state, shownFigure, 0, selected)
  return gridLines(view, shownFigure, { width, height }, { cellLines, hasLegendLine: false }).map(line =>
    paint(line, { ...plain, ascii }),
  )
}

const large = () =>
  foldRun(
    new RunScript({
      contexts: Array.from({ length: 20 }, (_, index) => 1024 * (index + 1)),
      concurrency: Array.from({ length: 30 }, (_, index) => index + 1),
    }).begin().events,
  )
const at = (cell: number): Place => ({ kind: 'cell', cell })

describe('a matrix that is larger than the screen', () => {
  test('tells how much is out of sight on each side', () => {
    // 80 columns hold 11 cells of 6 beside labels of 5 and prefill of 9; 11 lines hold 9 rows.
    expect(shown(large(), at(0))[0]).toMatch(/─ ↓11 more rows {2}→19 more columns/)
    expect(shown(large(), at(10 * 30 + 15))[0]).toMatch(/─ ↑6 ↓5 more rows {2}←10 →9 more columns/)
    expect(shown(large(), at(20 * 30 - 1))[0]).toMatch(/─ ↑11 more rows {2}←19 more columns/)
  })

  test('keeps the selected cell in sight, framed', () => {
    for (const cell of [0, 17, 299, 300, 599]) {
      const framed = shown(large(), at(cell)).filter(line => line.includes('▐'))
      const context = `${Math.floor(cell / 30) + 1}K`
      expect(framed).toHaveLength(1)
      expect(framed[0]?.trimStart().startsWith(context), framed[0]).toBe(true)
    }
  })

  test('tells nothing of the kind when all is in sight', () => {
    expect(shown(foldRun(scenes.running().events), null)[0]).not.toMatch(/[↑↓←→]/)
  })
})

test('contexts that differ have different labels', () => {
  const script = new RunScript({ contexts: [1024, 1050, 131_000], concurrency: [1], phases: 'decode' })
  const rows = shown(foldRun(script.begin().events), null).slice(2, 5)
  expect(rows.map(row => /[^ ▐]+/.exec(row)?.[0])).toEqual(['1K', '1050', '131000'])
})

test('a single value is the best, also of a figure that is better when it is low', () => {
  const state = foldRun(scenes.small().events)
  const [cell] = state.cells
  if (cell === undefined) throw new Error('the script has cells')
  const alone = { ...state, cells: [cell], job: null }
  const heats = figures.map(figure => selectGrid(alone, figure, 0, null).rows[0]?.cells[0]?.heat ?? null)
  // Nothing queued: zero has no place on a scale of proportions.
  expect(heats).toEqual(figures.map(({ name }) => (name === 'queue depth' ? null : 5)))
})

test('the legend leaves out words for limits before it leaves out a mark', () => {
  const state = foldRun(scenes.ended().events)
  expect(shown(state, null, { width: 100 })[0]).toMatch(/ no room: req× requests {2}KV× KV cache {2}▲ best$/)
  expect(shown(state, null, { width: 66, figure: 7 })[0]).toMatch(/ no room: req× KV× {2}▲ best$/)
})

test('the selected cell is framed on all of its lines', () => {
  const state = foldRun(scenes.small().events)
  const lines = shown(state, at(1), { cellLines: 3, height: 8 })
  expect(lines.map(line => /▐.*▌/.test(line))).toEqual([false, false, true, true, true, false, false, false])
  expect(shown(state, at(1), { ascii: true })[2]).toMatch(/\[ +1,090 \]/)
})

test('the cell with the most tok/s and the knee of each row are marked, whatever figure is shown', () => {
  const state = foldRun(scenes.paused().events)
  figures.forEach((_, figure) => {
    const row = shown(state, null, { figure })[2] ?? ''
    // 1K: 335, 1,115, 2,683, 4,119, 4,678 for C = 1, 4, 16, 64, 192: three times the streams gain 14 %, 8 % a doubling
    expect(row).toMatch(/◆.*▲/)
    expect(row.match(/[◆▲]/g)).toHaveLength(2)
  })
})

test('of each row the cell with the most streams that hold the asked limits is marked', () => {
  const slo = { ttftMs: 250, itlMs: null }
  const matrix = { contexts: [8192, 16_384], concurrency: [1, 8, 32, 64], slo }
  const rows = shown(foldRun(new RunScript(matrix).begin().cells(8).events), null)
  // TTFT by p90: 8K × 32 takes 60 + 27 + 128 ms and up to 30 % more, × 64 128 ms more.
  expect(rows[2]).toMatch(/ 1,\d{3}✓ +3,\d{3} +4,\d{3}▲ /)
})

test('a cell that is to be measured anew says so in place of its status', () => {
  expect(shown(foldRun(scenes.paused().events), null)[2]).toContain('1,115↻')
})

test('a sign that has no column of its own stands before the figure, where there is room', () => {
  // 8K × 16 is queued, and has the most tok/s.
  const state = foldRun(scenes.marks().events)
  expect(shown(state, null)[2]).toContain('▲2,620≈')
  const narrow = gridLines(
    selectGrid(state, figureAt(0), 0, null),
    figureAt(0),
    { width: 35, height: 4 },
    {
      cellLines: 1,
      hasLegendLine: false,
    },
  )
  expect(narrow.map(line => paint(line, plain))[2]).toContain(' 2620≈')
})

test('the running cell tells the figures that a moment tells, and that others are to come', () => {
  const state = foldRun(scenes.running().events)
  // 64K × 4, the third of the fourth row of eight.
  const cells = figures.map((_, figure) => /▐ *(\S+)►▌/.exec(shown(state, at(26), { figure })[5] ?? '')?.[1])
  expect(cells.map(text => text !== undefined && text !== '…')).toEqual(
    figures.map(({ name }) =>
      ['tok/s', 'tok/s per request', 'ITL', 'KV usage', 'queue depth'].includes(name),
    ),
  )
})

test('a figure that a measured cell does not have is unknown, not absent', () => {
  const script = new RunScript({ contexts: [8192], concurrency: [1, 2], phases: 'decode' }).begin()
  // Two requests are too few for an interval.
  script.launch(0).open().run(1000).close()
  const interval = figures.findIndex(({ name }) => name === 'interval')
  expect(shown(foldRun(script.events), null, { figure: interval })[2]).toMatch(/▐ +– ▌ +· *$/)
})

test('without room for a course in each cell a row has one: TTFT over its concurrencies', () => {
  const state = foldRun(scenes.running().events)
  expect(shown(state, null)[1]).toMatch(/ TTFT *$/)
  expect(shown(state, null)[2]?.trimEnd()).toMatch(/ {2}[▁-█]{7}$/)
  expect(shown(state, null, { cellLines: 2, height: 20, width: 120 })[1]).not.toContain('TTFT')
})

test('in ASCII every mark and sign has a likeness, and none looks like another', () => {
  const symbols = [...Object.values(marks), ...Object.values(signs)].map(({ symbol }) => symbol)
  const plainSymbols = symbols.map(toAscii)
  expect(plainSymbols.join('')).toMatch(/^[ -~]+$/)
  expect(plainSymbols).not.toContain('?')
  expect(new Set(plainSymbols).size).toBe(symbols.length)
})

test('lines never go beyond the width, whatever it is', () => {
  const state = large()
  for (let width = 30; width < 200; width++)
    for (const line of gridLines(
      selectGrid(state, figureAt(0), 0, at(299)),
      figureAt(0),
      { width, height: 9 },
      {
        cellLines: 2,
        hasLegendLine: true,
      },
    ))
      expect(lineWidth(line)).toBeLessThanOrEqual(width)
})
