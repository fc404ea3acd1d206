/** From values to places along an axis: `at` tells the share of its length, 0..1. */
export type Axis = {
  readonly at: (value: number) => number
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** From 0 to a round number at or above the largest value, with about four steps. */
export function linearAxis(values: readonly number[], text: (value: number) => string): Axis {
  const most = Math.max(0, ...values)
  const step = roundStep(most / 4)
  const end = Math.max(1, Math.ceil(most / step - 1e-9)) * step
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step)
  return { at: value => value / end, ticks: ticks.map(value => ({ value, text: text(value) })) }
}

/** The decades that hold the values, with steps at 1, 2 and 5 while there are few. */
export function logAxis(values: readonly number[], text: (value: number) => string): Axis {
  const positive = values.filter(value => value > 0)
  if (positive.length === 0) return linearAxis([], text)
  const steps = logSteps(Math.min(...positive), Math.max(...positive))
  const from = Math.log(steps[0] ?? 1)
  const span = Math.log(steps.at(-1) ?? 10) - from
  return {
    at: value => (value <= 0 ? 0 : (Math.log(value) - from) / span),
    ticks: steps.map(value => ({ value, text: text(value) })),
  }
}

/**
 * The given values as ticks, each doubling equally far from the next, with room at both ends; 0 stands half the
 * smallest one's step below it.
 */
export function doublingAxis(values: readonly number[], text: (value: number) => string): Axis {
  const steps = [...new Set(values)].sort((a, b) => a - b)
  const smallest = steps.find(value => value > 0) ?? 1
  const place = (value: number) => Math.log2(value > 0 ? value : smallest / 2)
  const from = place(steps[0] ?? smallest)
  const span = place(steps.at(-1) ?? smallest) - from
  const margin = 0.02
  return {
    at: value => (span === 0 ? 0.5 : margin + ((place(value) - from) / span) * (1 - 2 * margin)),
    ticks: steps.map(value => ({ value, text: text(value) })),
  }
}

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is not below `step`. */
function roundStep(step: number): number {
  if (step <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(step))
  return (([1, 2, 2.5, 5] as const).find(candidate => candidate * power >= step * (1 - 1e-9)) ?? 10) * power
}

function logSteps(least: number, most: number): readonly number[] {
  const fine = steps125(least, most)
  if (fine.length <= 7) return fine
  const first = Math.floor(Math.log10(least))
  const last = Math.ceil(Math.log10(most))
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}

/** All of 1, 2, 5 times a power of ten from the last one at or below `least` to the first one at or above `most`. */
function steps125(least: number, most: number): readonly number[] {
  const first = Math.floor(Math.log10(least))
  const decades = Math.ceil(Math.log10(most)) - first + 1
  const all = Array.from({ length: decades }, (_, index) =>
    [1, 2, 5].map(digit => digit * 10 ** (first + index)),
  ).flat()
  const from = all.findLastIndex(step => step <= least * (1 + 1e-9))
  const to = all.findIndex(step => step >= most * (1 - 1e-9))
  return all.slice(from, Math.max(to, from + 1) + 1)
}
