/** A bar split at `share` (0..1) of `width`: what is reached, and what is left. Both empty when the share is unknown. */
export function gauge(share: number | null, width: number): { readonly full: string; readonly rest: string } {
  const columns = Math.max(0, width)
  if (share === null) return { full: '', rest: '╌'.repeat(columns) }
  const reached = Math.round(Math.min(1, Math.max(0, share)) * columns)
  return { full: '━'.repeat(reached), rest: '╌'.repeat(columns - reached) }
}
