export type Size = { readonly columns: number; readonly rows: number }
/** Lines for each row of the grid: figure; with TTFT and its course on one line; on two. */
export type CellLines = 1 | 2 | 3
export type Area = { readonly width: number; readonly height: number }

/**
 * `line`: one line of progress; `compact`: the panels are lines under the grid; `stacked`: grid over panels over
 * events; `beside`: the panels at the right of the grid.
 */
export type Layout =
  | { readonly kind: 'line'; readonly width: number }
  | {
      readonly kind: 'compact' | 'stacked' | 'beside'
      readonly width: number
      readonly grid: Area
      readonly cellLines: CellLines
      readonly now: Area
      readonly server: Area
      readonly events: Area
    }

/** From here on each view is given; sizes in between take the largest that fits. */
export const breakpoints = {
  compact: { columns: 60, rows: 16 },
  normal: { columns: 80, rows: 24 },
  rich: { columns: 120, rows: 36 },
  wide: { columns: 160, rows: 44 },
} as const

const headerLines = 1
const footerLines = 2
/** Heading and column titles. */
const gridHeadLines = 2
const columnGap = 2

/** Where everything goes, in all at most `rows - 1` lines: a full last line makes some terminals scroll. */
export function layOut(size: Size, gridRows: number): Layout {
  const width = size.columns
  if (!reaches(size, breakpoints.compact)) return { kind: 'line', width }
  const room = size.rows - 1 - headerLines - footerLines
  if (!reaches(size, breakpoints.normal)) return compact(width, room, gridRows)
  return reaches(size, breakpoints.wide) ? beside(width, room, gridRows) : stacked(size, room, gridRows)
}

function compact(width: number, room: number, gridRows: number): Layout {
  const panels = { now: { width, height: 2 }, server: { width, height: 1 } }
  const grid = Math.min(gridHeadLines + gridRows, room - 3)
  const events = { width, height: room - 3 - grid }
  return { kind: 'compact', width, grid: { width, height: grid }, cellLines: 1, ...panels, events }
}

function stacked(size: Size, room: number, gridRows: number): Layout {
  const isRich = reaches(size, breakpoints.rich)
  const panel = isRich ? 7 : 6
  const gridRoom = room - panel - (isRich ? 5 : 3)
  const cellLines = tallestCells(gridRows, gridRoom, isRich ? 3 : 2)
  const grid = Math.min(gridHeadLines + cellLines * gridRows, gridRoom)
  const width = size.columns
  const left = Math.floor((width - columnGap) / 2)
  return {
    kind: 'stacked',
    width,
    grid: { width, height: grid },
    cellLines,
    now: { width: left, height: panel },
    server: { width: width - columnGap - left, height: panel },
    events: { width, height: room - grid - panel },
  }
}

function beside(width: number, room: number, gridRows: number): Layout {
  const side = Math.min(70, Math.floor(width * 0.33))
  const main = width - columnGap - side
  const leastEvents = 6
  const gridRoom = room - leastEvents
  const cellLines = tallestCells(gridRows, gridRoom, 3)
  const grid = Math.min(gridHeadLines + cellLines * gridRows, gridRoom)
  const now = Math.floor(room * 0.45)
  return {
    kind: 'beside',
    width,
    grid: { width: main, height: grid },
    cellLines,
    now: { width: side, height: now },
    server: { width: side, height: room - now },
    events: { width: main, height: room - grid },
  }
}

function tallestCells(gridRows: number, room: number, most: CellLines): CellLines {
  const choices: readonly CellLines[] = [3, 2]
  return choices.find(lines => lines <= most && gridHeadLines + lines * gridRows <= room) ?? 1
}

function reaches({ columns, rows }: Size, least: Size): boolean {
  return columns >= least.columns && rows >= least.rows
}
