/**
 * Where a value stands among others, 0..levels - 1, by its logarithm: throughput and latency spread over decades.
 * `null` when it cannot be placed.
 */
export function heatLevel(
  value: number | null,
  range: { readonly lowest: number; readonly highest: number },
  levels: number,
): number | null {
  if (value === null || value <= 0 || range.lowest <= 0) return null
  const spread = Math.log(range.highest / range.lowest)
  if (spread <= 0) return levels - 1
  const share = Math.log(value / range.lowest) / spread
  return Math.min(levels - 1, Math.max(0, Math.floor(share * levels)))
}
