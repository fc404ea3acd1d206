import type { Axis } from './axis.ts'

/** Curves over two axes, drawn as SVG: sharp in print, coloured by the page's own style. */
export type Plot = {
  readonly title: string
  /** What the axes tell, with their units. */
  readonly xTitle: string
  readonly yTitle: string
  /** What is to be seen, for one who does not see it, and where the numbers stand. */
  readonly about: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly PlotLine[]
}

export type PlotLine = {
  /** Stands at the line's end; empty: nothing does. */
  readonly name: string
  /** Which of the page's line colours, 0..8. */
  readonly colour: number
  /** Which run: its stroke and the shape of its points. */
  readonly run: number
  /** `null`: a gap. */
  readonly points: readonly (PlotPoint | null)[]
}

export type PlotPoint = {
  readonly x: number
  readonly y: number
  /** Half-width of the interval around y. */
  readonly spread: number | null
  /** No line leads to a `cross`, measured and not to be compared, nor to what stands `aside`. */
  readonly mark: 'full' | 'open' | 'aside' | 'cross' | 'none'
  /** The point in words. */
  readonly text: string
  /** The cell that it stands for. */
  readonly cell: string | null
}

export type Size = { readonly width: number; readonly height: number }

/** Where a point is drawn, in pixels from the left and the top. */
export type PlacedPoint = { readonly point: PlotPoint; readonly left: number; readonly top: number }

/** What axes and names leave for the curves, pixels. */
export type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Width of a digit and height of a line of the plot's text, pixels. */
export const digitWidth = 6.4
export const lineHeight = 13

/** The points of each line that stand where they are drawn. */
export function placePoints(plot: Plot, size: Size): readonly (readonly PlacedPoint[])[] {
  const place = placer(plot, boxOf(plot, size))
  return plot.lines.map(({ points }) => points.flatMap(point => (point === null ? [] : [place(point)])))
}

export function boxOf({ xTitle, y, lines }: Plot, { width, height }: Size): Box {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length)) * digitWidth
  return {
    left: widest(y.ticks.map(({ text }) => text)) + 8,
    right: width - Math.max(10, widest(lines.map(({ name }) => name)) + 12),
    top: 10,
    bottom: height - (xTitle === '' ? 22 : 34),
  }
}

export function placer({ x, y }: Plot, box: Box): (point: PlotPoint) => PlacedPoint {
  return point => ({
    point,
    left: round(box.left + x.at(point.x) * (box.right - box.left)),
    top: heightOf(y, point.y, box),
  })
}

/** Where a value stands from the top, pixels. */
export function heightOf(y: Axis, value: number, box: Box): number {
  return round(box.bottom - Math.min(1.02, Math.max(0, y.at(value))) * (box.bottom - box.top))
}

export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

/** All points of the lines. */
export function pointsOf(lines: readonly PlotLine[]): readonly PlotPoint[] {
  return lines.flatMap(({ points }) => points.filter(point => point !== null))
}
