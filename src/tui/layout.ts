export type Size = { readonly columns: number; readonly rows: number }
export type Area = { readonly width: number; readonly height: number }

/** `line`: one line of progress; `stacked`: grid over panels over events; `beside`: the panels at the right of the grid. */
export type Layout =
  | { readonly kind: 'line'; readonly width: number }
  | {
      readonly kind: 'stacked' | 'beside'
      readonly width: number
      readonly grid: Area
      /** Lines for each row of the grid: figure; with TTFT course; with TTFT and its course. */
      readonly cellLines: 1 | 2 | 3
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
  return reaches(size, breakpoints.wide) ? beside(width, room, gridRows) : stacked(size, room, gridRows)
}

function stacked(size: Size, room: number, gridRows: number): Layout {
  const isRich = reaches(size, breakpoints.rich)
  const isNormal = reaches(size, breakpoints.normal)
  const least = isRich
    ? { panel: 7, events: 5 }
    : isNormal
      ? { panel: 6, events: 3 }
      : { panel: 3, events: 0 }
  const gridRoom = room - least.panel - least.events
  const cellLines = isRich && gridHeadLines + 2 * gridRows <= gridRoom ? 2 : 1
  const grid = Math.min(gridHeadLines + cellLines * gridRows, gridRoom)
  const spare = gridRoom - grid
  const panel = isNormal ? least.panel : least.panel + Math.min(2, spare)
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
  const fits = (lines: number) => gridHeadLines + lines * gridRows <= gridRoom
  const cellLines = fits(3) ? 3 : fits(2) ? 2 : 1
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

function reaches({ columns, rows }: Size, least: Size): boolean {
  return columns >= least.columns && rows >= least.rows
}
