import type { Scale } from './sparkline.ts'
import { pad, textWidth } from './text-width.ts'

/** What a chart shows, and in how much room. */
export type Chart = {
  /** One for each of equally long slices of time, from left to right; `null`: a gap. */
  readonly values: readonly (number | null)[]
  /** Columns and lines of the whole chart, labels and times included. */
  readonly width: number
  readonly height: number
  /** From 0 to a round number above the largest value when absent. */
  readonly scale?: Scale
  /** A label of the scale, with its unit; empty: no label there. */
  readonly label: (value: number) => string
  /** Texts beneath the chart, evenly from its left end to its right end. */
  readonly times: readonly string[]
  /** Columns that the labels take at least, so that charts beneath one another begin in the same column. */
  readonly labelWidth?: number
}

/** One line: the scale at the left, and the course. Together as wide as the chart. */
export type ChartLine = { readonly axis: string; readonly course: string }

/** With fewer columns or lines for the course a chart tells nothing. */
const least = { columns: 4, lines: 2 }

/**
 * The values as a line of braille dots, 2 × 4 to a character: each keeps its level for its slice, and where several
 * share a column of dots it spans their range, so that no peak is lost. Nothing where there is no room.
 */
export function axisChart({ values, width, height, label, times, ...rest }: Chart): readonly ChartLine[] {
  const scale = rest.scale ?? { from: 0, to: roundAbove(largest(values)) }
  const lines = height - 1
  const labels = scaleLabels(scale, lines, label)
  const gutter = Math.max(rest.labelWidth ?? 0, ...labels.map(textWidth))
  const columns = width - gutter - 1
  if (lines < least.lines || columns < least.columns) return []
  const dots = joined(dotSpans(values, columns * 2, lines * 4, scale))
  return [
    ...labels.map((text, line) => ({
      axis: `${pad(text, gutter, 'right')}${text === '' ? '│' : '┤'}`,
      course: Array.from({ length: columns }, (_, column) =>
        braille(dots[2 * column] ?? null, dots[2 * column + 1] ?? null, 4 * (lines - 1 - line)),
      ).join(''),
    })),
    { axis: ' '.repeat(gutter + 1), course: spreadTexts(times, columns) },
  ]
}

/** The smallest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not below `value`; 1 for 0. */
export function roundAbove(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = roundSteps.find(candidate => candidate * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}

const roundSteps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

function largest(values: Chart['values']): number {
  return values.reduce<number>((most, value) => (value !== null && value > most ? value : most), 0)
}

/** The ends of the scale, and its middle where a line stands exactly there. */
function scaleLabels({ from, to }: Scale, lines: number, label: Chart['label']): readonly string[] {
  const middle = lines >= 5 && lines % 2 === 1 ? (lines - 1) / 2 : null
  return Array.from({ length: Math.max(0, lines) }, (_, line) => {
    if (line === 0) return label(to)
    if (line === lines - 1) return label(from)
    return line === middle ? label((from + to) / 2) : ''
  })
}

/** The rows of dots that a column sets, counted from the bottom; `null`: none. */
type Span = { readonly low: number; readonly high: number } | null

function dotSpans(
  values: Chart['values'],
  columns: number,
  rows: number,
  { from, to }: Scale,
): readonly Span[] {
  const row = (value: number) =>
    Math.round(Math.min(1, Math.max(0, (value - from) / (to - from))) * (rows - 1))
  return Array.from({ length: columns }, (_, column) => {
    const first = Math.floor((column * values.length) / columns)
    const end = Math.max(first + 1, Math.floor(((column + 1) * values.length) / columns))
    const found = values.slice(first, end).flatMap(value => (value === null ? [] : [row(value)]))
    return found.length === 0 ? null : { low: Math.min(...found), high: Math.max(...found) }
  })
}

/** A step from one column to the next is drawn upright in the second; a gap stays one. */
function joined(spans: readonly Span[]): readonly Span[] {
  return spans.map((span, column) => {
    const before = spans[column - 1] ?? null
    if (span === null || before === null) return span
    return { low: Math.min(span.low, before.high + 1), high: Math.max(span.high, before.low - 1) }
  })
}

/** Bits of a braille character for each row of dots from the bottom up, left and right. */
const brailleBits = [
  [0x40, 0x80],
  [0x04, 0x20],
  [0x02, 0x10],
  [0x01, 0x08],
] as const

/** The character whose lowest row of dots is `bottom`; a blank where no dot is set. */
function braille(left: Span, right: Span, bottom: number): string {
  const isSet = (span: Span, row: number) => span !== null && row >= span.low && row <= span.high
  const bits = brailleBits.reduce(
    (set, [leftBit, rightBit], row) =>
      set | (isSet(left, bottom + row) ? leftBit : 0) | (isSet(right, bottom + row) ? rightBit : 0),
    0,
  )
  return bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits)
}

/** Texts in `width` columns, the first at the left end, the last at the right one; the middle ones give way. */
function spreadTexts(texts: readonly string[], width: number): string {
  const first = texts[0] ?? ''
  const last = texts.length > 1 ? (texts.at(-1) ?? '') : ''
  let line = pad(first, width - textWidth(last)) + last
  texts.slice(1, -1).forEach((text, index) => {
    const centre = ((index + 1) * width) / (texts.length - 1)
    const start = Math.round(centre - textWidth(text) / 2)
    const end = start + textWidth(text)
    if (line.slice(start - 1, end + 1).trim() === '') line = line.slice(0, start) + text + line.slice(end)
  })
  return line
}
