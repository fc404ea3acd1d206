/** Whether the figures of a cell or prefill row with this status may stand beside others': `valid` or `requests-queued`. */
export function isComparable({ status }: { readonly status: string }): boolean {
  return status === 'valid' || status === 'requests-queued'
}
