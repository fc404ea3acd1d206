/** Beyond this many degrees of freedom Student's t is the normal distribution for every purpose here. */
const mostDegrees = 1000

/**
 * Probability that |T| of Student's t exceeds |t|: the finite series for whole degrees of freedom (Abramowitz and Stegun
 * 26.7.3 and 26.7.4). Degrees are rounded down, which errs on the safe side; at least 1.
 */
export function twoSidedTail(t: number, degrees: number): number {
  const whole = Math.max(1, Math.floor(Math.min(degrees, mostDegrees)))
  const angle = Math.atan(Math.abs(t) / Math.sqrt(whole))
  const isOdd = whole % 2 === 1
  const cosine = Math.cos(angle)
  let term = isOdd ? cosine : 1
  let sum = whole === 1 ? 0 : term
  for (let order = isOdd ? 3 : 2; order < whole; order += 2) {
    term *= ((order - 1) / order) * cosine ** 2
    sum += term
  }
  const inside = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
  return Math.max(0, 1 - inside)
}
