import { describe, expect, test } from 'vitest'
import { breakpoints, layOut, type Wishes } from '../../src/tui/layout.ts'

const wishes = (change: Partial<Wishes> = {}): Wishes => ({ gridRows: 7, hardwareLines: () => 0, ...change })

function areas(columns: number, rows: number, change: Partial<Wishes> = {}) {
  const layout = layOut({ columns, rows }, wishes(change))
  if (layout.kind === 'line') throw new Error('too small')
  return layout
}

test('from 60x16 up there is a screen, below a line of progress', () => {
  expect(layOut({ columns: 60, rows: 16 }, wishes()).kind).toBe('compact')
  expect(layOut({ columns: 59, rows: 99 }, wishes())).toEqual({ kind: 'line', width: 59 })
  expect(layOut({ columns: 200, rows: 15 }, wishes()).kind).toBe('line')
  expect(areas(80, 24).kind).toBe('stacked')
  expect(areas(160, 44).kind).toBe('beside')
})

test('header, parts and footer fill all rows but the last, whatever is wished for', () => {
  for (let rows = 16; rows <= 70; rows++)
    for (const columns of [60, 80, 119, 120, 160, 250])
      for (const gridRows of [0, 1, 7, 40])
        for (const hardwareLines of [0, 3, 10]) {
          const layout = areas(columns, rows, { gridRows, hardwareLines: () => hardwareLines })
          const { grid, selected, now, server, hardware, events } = layout
          const legend = layout.hasLegendLine ? 1 : 0
          const left = grid.height + legend + selected.height + events.height
          const panels = {
            compact: now.height + server.height,
            stacked: Math.max(now.height, server.height) + hardware.height,
            beside: 0,
          }
          const name = `${columns}x${rows}, ${gridRows} rows, ${hardwareLines} lines`
          expect(left + panels[layout.kind], name).toBe(rows - 4)
          if (layout.kind === 'beside')
            expect(now.height + server.height + hardware.height, name).toBe(rows - 4)
          for (const { height } of [grid, selected, now, server, hardware, events])
            expect(height, name).toBeGreaterThanOrEqual(0)
        }
})

describe('where there is room', () => {
  test('cells have lines for TTFT and its course', () => {
    expect(areas(80, 24).cellLines).toBe(1)
    expect(areas(120, 36).cellLines).toBe(2)
    expect(areas(120, 36, { gridRows: 3 }).cellLines).toBe(3)
    expect(areas(200, 50).cellLines).toBe(3)
  })

  test('the selected cell has two lines, the legend one of its own', () => {
    expect(areas(60, 16, { gridRows: 6 }).selected.height).toBe(1)
    // A matrix that is scrolled all the same gives rows for them.
    expect(areas(60, 16, { gridRows: 14 })).toMatchObject({ grid: { height: 8 }, selected: { height: 1 } })
    expect(areas(80, 24, { gridRows: 14 })).toMatchObject({ grid: { height: 9 }, selected: { height: 2 } })
    expect(areas(200, 50, { gridRows: 60 }).selected.height).toBe(2)
    expect(areas(80, 24)).toMatchObject({ selected: { height: 2 }, hasLegendLine: false })
    expect(areas(120, 36)).toMatchObject({ selected: { height: 2 }, hasLegendLine: true })
  })

  test('the hardware has its panel, else a line, at the cost of one event or of the third line in cells', () => {
    expect(areas(80, 24, { hardwareLines: () => 4 })).toMatchObject({
      hardware: { height: 1 },
      selected: { height: 2 },
      events: { height: 2 },
    })
    // Eight GPUs in two columns, heading and host; 120x36 has 32 lines, 7 for the panels, 5 for events.
    expect(areas(120, 36, { gridRows: 4, hardwareLines: () => 6 })).toMatchObject({
      hardware: { height: 6 },
      cellLines: 2,
    })
    expect(areas(120, 36, { gridRows: 4, hardwareLines: () => 12 })).toMatchObject({
      hardware: { height: 1 },
      cellLines: 3,
    })
    expect(areas(80, 24, { gridRows: 2, hardwareLines: () => 3 })).toMatchObject({
      hardware: { height: 3 },
      events: { height: 3 },
    })
    expect(areas(80, 24, { gridRows: 2, hardwareLines: () => 6 }).hardware.height).toBe(1)
    expect(areas(200, 50, { hardwareLines: () => 10 }).hardware.height).toBe(10)
  })

  test('each break of the layout is one of those that have a name', () => {
    expect(Object.values(breakpoints).map(({ columns, rows }) => `${columns}x${rows}`)).toEqual([
      '60x16',
      '80x24',
      '120x36',
      '160x44',
    ])
  })
})
