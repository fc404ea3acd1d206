/** Numbers at the crossings of two ascending axes: `values[row][column]`. */
export type Grid = {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly values: readonly (readonly number[])[]
}

/** The value at `x` on the line through the points, whose abscissas are positive and ascending: log scale, ends held. */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  const right = xs.findIndex(point => point >= x)
  const [first = 1, last = first] = [ys[0], ys.at(-1)]
  if (right === 0) return first
  if (right < 0) return last
  const [x0 = x, x1 = x] = [xs[right - 1], xs[right]]
  const [y0 = first, y1 = first] = [ys[right - 1], ys[right]]
  return y0 + (y1 - y0) * (Math.log(x / x0) / Math.log(x1 / x0))
}

/** The grid's line at `row`: one value for each column. */
export function lineAt({ rows, columns, values }: Grid, row: number): readonly number[] {
  return columns.map((_, column) => {
    const line = values.map(list => list[column] ?? 1)
    return interpolate(rows, line, row)
  })
}
