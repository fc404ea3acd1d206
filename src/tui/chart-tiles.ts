import { known, max } from '../domain/statistics.ts'
import { axisChart, roundAbove } from '../format/chart.ts'
import type { Scale } from '../format/sparkline.ts'
import { count, percent, perSecond } from '../format/units.ts'
import { beside, columnWidth } from './in-columns.ts'
import type { Area } from './layout.ts'
import { fullScale } from './series-rows.ts'
import { fitHeight, type Line, type Style, span } from './span.ts'

/** A figure with its course over time, as a picture of its own. */
export type ChartTile = {
  readonly name: string
  /** The figure that the course leads to, or sums up. */
  readonly value: string
  readonly values: readonly (number | null)[]
  readonly style: Style
  readonly measure: keyof typeof scaleLabels
  /** Beneath the chart, from its left end to its right end. */
  readonly times: readonly string[]
}

/** Columns of the scale: the longest labels are `1,200` and `80 ms`, and all tiles begin alike. */
const labelWidth = 6

/** Labels of a scale, whole whatever the level: 12.5K, 1.25 s; requests come whole. */
export const scaleLabels = {
  speed: (level: number) => perSecond(level, 'short').replace(/\.0(?=K?$)/, ''),
  time: (level: number) => {
    const [value, unit] = level < 1000 ? [level, 'ms'] : [level / 1000, 's']
    return level === 0 ? '0' : `${Number(value.toPrecision(3))} ${unit}`
  },
  requests: (level: number) => (Number.isInteger(level) ? count(level) : ''),
  share: percent,
} as const

/** Name, two lines of course, times. */
export const leastTileHeight = 4

/** Columns that the course has in a tile, with so many tiles beside one another. */
export function courseWidth(width: number, tiles: number): number {
  return Math.max(0, columnWidth(width, tiles) - labelWidth - 1)
}

/** Rows of tiles that share the area evenly; in all at most `height` lines. */
export function tileLines(rows: readonly (readonly ChartTile[])[], { width, height }: Area): readonly Line[] {
  const tall = Math.floor(height / Math.max(1, rows.length))
  return rows.flatMap((tiles, index) => {
    // What does not divide evenly goes to the first rows.
    const lines = tall + (index < height - tall * rows.length ? 1 : 0)
    const columns = columnWidth(width, tiles.length)
    const drawn = tiles.map(tile => tileOf(tile, { width: columns, height: lines }))
    return beside(drawn, lines, columns)
  })
}

/** Speeds and times end at a round number, requests at a whole one, shares at all. */
function scaleOf({ measure, values }: ChartTile): Scale {
  const most = max(known(values)) ?? 0
  if (measure === 'share') return fullScale
  return { from: 0, to: roundAbove(measure === 'requests' ? Math.ceil(most) : most) }
}

function tileOf(tile: ChartTile, { width, height }: Area): readonly Line[] {
  const { name, value, style, measure, ...chart } = tile
  const title: Line = [span(`${name} `, 'dim'), span(value, 'strong')]
  if (chart.values.every(point => point === null))
    return fitHeight([title, [span(' '.repeat(labelWidth + 1)), span('no values', 'dim')]], height)
  const label = scaleLabels[measure]
  const course = axisChart({ ...chart, label, scale: scaleOf(tile), width, height: height - 1, labelWidth })
  return fitHeight(
    [
      title,
      ...course.map(({ axis, course: dots }, line): Line => {
        const isTimes = line === course.length - 1
        return [span(axis, 'dim'), span(dots, isTimes ? 'dim' : style)]
      }),
    ],
    height,
  )
}
