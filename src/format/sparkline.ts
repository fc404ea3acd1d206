const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Keeps a steady course apart from the line above it. */
const headroom = 1.25

/** Values at the lower and at the upper end. */
export type Scale = { readonly from: number; readonly to: number }

/**
 * The last `width` values as blocks, right-aligned in `width` columns and `rows` lines, the top line first. A gap
 * stands for `null`. Without a scale: from 0, so that noise does not look like a swing, to a little above the largest.
 */
export function chart(
  values: readonly (number | null)[],
  width: number,
  rows: number,
  scale: Scale = { from: 0, to: headroom * largest(values) },
): readonly string[] {
  const shown = width <= 0 ? [] : values.slice(-width)
  const steps = rows * blocks.length
  const heights = shown.map(value => (value === null ? null : height(value, scale, steps)))
  return Array.from({ length: rows }, (_, line) => {
    const below = (rows - 1 - line) * blocks.length
    const text = heights.map(reached => block(reached, below)).join('')
    return text.padStart(Math.max(0, width))
  })
}

/** A chart of one line. */
export function sparkline(values: readonly (number | null)[], width: number, scale?: Scale): string {
  return chart(values, width, 1, scale)[0] ?? ''
}

function block(reached: number | null, below: number): string {
  if (reached === null || reached <= below) return ' '
  return blocks[Math.min(blocks.length, reached - below) - 1] ?? ' '
}

/** 1..steps: a known value is always visible. */
function height(value: number, { from, to }: Scale, steps: number): number {
  const share = to > from ? (value - from) / (to - from) : 0
  return 1 + Math.round(Math.min(1, Math.max(0, share)) * (steps - 1))
}

function largest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => (value !== null && value > most ? value : most), 0)
}

/** Many points into `width`: means of neighbours; few points stay as they are. `null` only where all are. */
export function resample(values: readonly (number | null)[], width: number): readonly (number | null)[] {
  if (values.length <= width || width <= 0) return values
  return Array.from({ length: width }, (_, index) => {
    const part = values.slice(
      Math.floor((index * values.length) / width),
      Math.floor(((index + 1) * values.length) / width),
    )
    const known = part.filter(value => value !== null)
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length
  })
}
