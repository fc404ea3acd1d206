import type { Difference, DifferenceVerdict } from '../domain/compare-figure.ts'

/** How each verdict is marked; the mark alone tells it. */
export const verdictMarks: Readonly<Record<DifferenceVerdict, string>> = {
  better: '✓',
  worse: '✗',
  same: '=',
  unknown: '?',
}

/** -5.2%, +0.3%, 0.0% */
export function changeText(change: number): string {
  const text = (change * 100).toFixed(1)
  if (Number(text) === 0) return '0.0%'
  return `${change > 0 ? '+' : ''}${text}%`
}

/** -5.2%✗ */
export function markedChange({ change, verdict }: Pick<Difference, 'change' | 'verdict'>): string {
  return `${changeText(change)}${verdictMarks[verdict]}`
}
