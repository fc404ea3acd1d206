/** Sizes as people type them: `8192`, `8k`, `1m` (K = 1024). Whole tokens; `null` when it is no size. */
export function parseTokens(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text.trim())
  if (match === null) return null
  const unit = { '': 1, k: 1024, m: 1024 * 1024 }[(match[2] ?? '').toLowerCase()] ?? 1
  const tokens = Number(match[1]) * unit
  return Number.isInteger(tokens) ? tokens : null
}

/** Durations: `30` and `30s` are seconds, `500ms`, `2m`, `1h`. Seconds; `null` when it is no duration. */
export function parseSeconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/i.exec(text.trim())
  if (match === null) return null
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[(match[2] ?? 's').toLowerCase()] ?? 1
  return Number(match[1]) * unit
}

/** Lists take commas or spaces. */
export function parseWords(text: string): string[] {
  return text.split(/[\s,]+/).filter(word => word !== '')
}
