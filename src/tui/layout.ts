export type Size = { readonly columns: number; readonly rows: number }
/** Lines for each row of the grid: figure; with TTFT and its course on one line; on two. */
export type CellLines = 1 | 2 | 3
export type Area = { readonly width: number; readonly height: number }

/** What decides how much room the parts of the grid view want: rows of the matrix, lines of the hardware panel in a width. */
export type Wishes = { readonly gridRows: number; readonly hardwareLines: (width: number) => number }

/**
 * `line`: one line of progress; `compact`: the panels are lines under the grid; `stacked`: grid over panels over
 * events; `beside`: the panels at the right of the grid. Areas without height are not shown. `body` is all between
 * header and footer, for views that fill it.
 */
export type Layout =
  | { readonly kind: 'line'; readonly width: number }
  | {
      readonly kind: 'compact' | 'stacked' | 'beside'
      readonly width: number
      readonly body: Area
      readonly grid: Area
      readonly cellLines: CellLines
      /** The legend has a line beneath the grid; else what fits of it stands in the heading. */
      readonly hasLegendLine: boolean
      readonly selected: Area
      readonly now: Area
      readonly server: Area
      readonly hardware: Area
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
/** Legend, and figures and verdict of the selected cell, where each has its line. */
const beneathLines = 3

/** Where everything goes, in all at most `rows - 1` lines: a full last line makes some terminals scroll. */
export function layOut(size: Size, wishes: Wishes): Layout {
  const width = size.columns
  if (!reaches(size, breakpoints.compact)) return { kind: 'line', width }
  const body = { width, height: size.rows - 1 - headerLines - footerLines }
  if (!reaches(size, breakpoints.normal)) return compact(body, wishes)
  return reaches(size, breakpoints.wide) ? beside(body, wishes) : stacked(size, body, wishes)
}

function compact(body: Area, { gridRows }: Wishes): Layout {
  const { width } = body
  const room = body.height - 3
  const grid = gridHeight(gridHeadLines + gridRows, room, 1)
  const selected = Math.min(1, room - grid)
  return {
    kind: 'compact',
    width,
    body,
    grid: { width, height: grid },
    cellLines: 1,
    hasLegendLine: false,
    selected: { width, height: selected },
    now: { width, height: 2 },
    server: { width, height: 1 },
    hardware: { width, height: 0 },
    events: { width, height: room - grid - selected },
  }
}

function stacked(size: Size, body: Area, { gridRows, hardwareLines }: Wishes): Layout {
  const isRich = reaches(size, breakpoints.rich)
  const { width, height } = body
  const panel = isRich ? 7 : 6
  const wanted = hardwareLines(width)
  const hardwareLine = Math.min(1, wanted)
  const leastEvents = isRich ? 5 : 3
  // On a small screen the line takes the place of an event.
  const gridRoom = height - panel - leastEvents - (isRich ? hardwareLine : 0)
  // A third line in each cell tells less than the lines of the GPUs that it would take.
  const besideCells = (lines: CellLines) =>
    gridRoom + hardwareLine - gridHeadLines - lines * gridRows - beneathLines
  const isGpuTable = wanted > 1 && wanted > besideCells(3) && wanted <= besideCells(2)
  const cellLines = tallestCells(gridRows, gridRoom - 1, isRich && !isGpuTable ? 3 : 2)
  const grid = gridHeight(gridHeadLines + cellLines * gridRows, gridRoom, 2)
  const { legend, selected } = beneathGrid(gridRoom - grid, isRich)
  const rest = height - panel - grid - legend - selected
  const hardware = wanted <= rest - leastEvents ? wanted : hardwareLine
  const left = Math.floor((width - columnGap) / 2)
  return {
    kind: 'stacked',
    width,
    body,
    grid: { width, height: grid },
    cellLines,
    hasLegendLine: legend > 0,
    selected: { width, height: selected },
    now: { width: left, height: panel },
    server: { width: width - columnGap - left, height: panel },
    hardware: { width, height: hardware },
    events: { width, height: rest - hardware },
  }
}

function beside(body: Area, { gridRows, hardwareLines }: Wishes): Layout {
  const { width, height } = body
  const side = Math.min(70, Math.floor(width * 0.33))
  const main = width - columnGap - side
  const gridRoom = height - leastEventsBeside
  const cellLines = tallestCells(gridRows, gridRoom - 2, 3)
  const grid = gridHeight(gridHeadLines + cellLines * gridRows, gridRoom, 2)
  const { legend, selected } = beneathGrid(gridRoom - grid, true)
  const hardware = Math.min(hardwareLines(side), Math.floor(height * 0.3))
  const now = Math.floor((height - hardware) * 0.45)
  return {
    kind: 'beside',
    width,
    body,
    grid: { width: main, height: grid },
    cellLines,
    hasLegendLine: legend > 0,
    selected: { width: main, height: selected },
    now: { width: side, height: now },
    server: { width: side, height: height - hardware - now },
    hardware: { width: side, height: hardware },
    events: { width: main, height: height - grid - legend - selected },
  }
}

const leastEventsBeside = 6

/** All of its lines; a matrix that has to be scrolled leaves room for the lines of the selected cell. */
function gridHeight(wanted: number, room: number, selected: number): number {
  return wanted <= room ? wanted : room - selected
}

/** Figures and verdict of the selected cell stand in a line each where both fit, the legend above them in a rich screen. */
function beneathGrid(room: number, isRich: boolean): { readonly legend: number; readonly selected: number } {
  const selected = Math.max(0, Math.min(room, 2))
  return { legend: isRich && room > selected ? 1 : 0, selected }
}

function tallestCells(gridRows: number, room: number, most: CellLines): CellLines {
  const choices: readonly CellLines[] = [3, 2]
  return choices.find(lines => lines <= most && gridHeadLines + lines * gridRows <= room) ?? 1
}

function reaches({ columns, rows }: Size, least: Size): boolean {
  return columns >= least.columns && rows >= least.rows
}
