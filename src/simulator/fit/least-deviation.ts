/**
 * Coefficients ≥ 0 for which Σ coefficient × column comes close to the targets, by relative deviation; a few outliers move them
 * little (least absolute deviations, by reweighting). One row of columns for each target.
 */
export function fitRelative(rows: readonly (readonly number[])[], targets: readonly number[]): number[] {
  let weights = targets.map(target => 1 / target ** 2)
  let coefficients: number[] = []
  for (let round = 0; round < 40; round++) {
    coefficients = nonNegative(rows, targets, weights)
    weights = targets.map((target, i) => {
      const deviation = Math.abs(dot(rows[i] ?? [], coefficients) / target - 1)
      return 1 / target ** 2 / Math.max(deviation, 0.01)
    })
  }
  return coefficients
}

/** Σ of the products. */
export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}

/** Weighted least squares; the column of the most negative coefficient is left out until none is negative. */
function nonNegative(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  weights: readonly number[],
): number[] {
  const columns = rows[0]?.length ?? 0
  const kept = new Set(Array.from({ length: columns }, (_, i) => i))
  while (kept.size > 0) {
    const used = [...kept]
    const matrix = used.map(a => [
      ...used.map(b =>
        rows.reduce((sum, row, i) => sum + (row[a] ?? 0) * (row[b] ?? 0) * (weights[i] ?? 0), 0),
      ),
      rows.reduce((sum, row, i) => sum + (row[a] ?? 0) * (targets[i] ?? 0) * (weights[i] ?? 0), 0),
    ])
    const solution = solve(matrix)
    const worst = solution.indexOf(Math.min(...solution))
    const isFine = (solution[worst] ?? 0) >= 0
    if (isFine) return Array.from({ length: columns }, (_, column) => solution[used.indexOf(column)] ?? 0)
    kept.delete(used[worst] ?? -1)
  }
  return Array.from({ length: columns }, () => 0)
}

/** Gauss–Jordan on an augmented matrix; columns are scaled first, since tokens² and 1 lie 12 orders apart. */
function solve(augmented: readonly (readonly number[])[]): number[] {
  const size = augmented.length
  const scales = augmented.map((row, i) => Math.sqrt(row[i] ?? 1) || 1)
  const matrix = augmented.map((row, i) => row.map((value, j) => value / (scales[i] ?? 1) / (scales[j] ?? 1)))
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot
    for (let row = pivot + 1; row < size; row++)
      if (Math.abs(matrix[row]?.[pivot] ?? 0) > Math.abs(matrix[best]?.[pivot] ?? 0)) best = row
    const [a, b] = [matrix[pivot] ?? [], matrix[best] ?? []]
    matrix[pivot] = b
    matrix[best] = a
    const lead = b[pivot] ?? 0
    if (lead === 0) return Array.from({ length: size }, () => 0)
    for (let row = 0; row < size; row++) {
      const target = matrix[row]
      if (target === undefined || row === pivot) continue
      const factor = (target[pivot] ?? 0) / lead
      matrix[row] = target.map((value, j) => value - factor * (b[j] ?? 0))
    }
  }
  return matrix.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1) / (scales[i] ?? 1))
}
