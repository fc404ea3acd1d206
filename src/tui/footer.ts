import type { RunProgress } from '../domain/progress.ts'
import { gauge } from '../format/gauge.ts'
import { clock } from '../format/units.ts'
import { confirmBindings, type KeyBinding, keyBindings } from './keys.ts'
import { type Line, lineWidth, span } from './span.ts'

/** What the footer has to know of the run and of the screen. */
export type FooterView = {
  readonly progress: RunProgress
  readonly isPaused: boolean
  /** Then the key goes on, already before the running cell has ended. */
  readonly isPauseAsked: boolean
  readonly isConfirming: boolean
}

/** Progress of the run, and the keys. */
export function footerLines(view: FooterView, width: number): readonly Line[] {
  const bindings = keyBindings.map(binding =>
    view.isPauseAsked && binding.keys.p === 'pause' ? { ...binding, short: 'resume' } : binding,
  )
  return [progressLine(view, width), view.isConfirming ? questionLine(width) : keyLine(bindings, width)]
}

/** All that a terminal below the smallest layout shows. */
export function progressLine({ progress, isPaused }: FooterView, width: number): Line {
  const { done, total, elapsedSeconds, remainingSeconds } = progress
  const left =
    remainingSeconds === null || remainingSeconds === 0 ? '' : `, about ${clock(remainingSeconds)} left`
  const text: Line = [
    span(` ${done}/${total}`, 'strong'),
    span(`  ${clock(elapsedSeconds)} gone${left}`),
    ...(isPaused ? [span(', paused', 'warn')] : []),
  ]
  const { full, rest } = gauge(total === 0 ? null : done / total, Math.max(0, width - lineWidth(text)))
  return [span(full, 'live'), span(rest, 'dim'), ...text]
}

/** What `q` asks. */
export function questionLine(width: number): Line {
  return [span('Stop the run? ', 'warn'), ...keyLine(confirmBindings, width)]
}

/** The last key always has its place, those before it as far as there is room. */
function keyLine(bindings: readonly KeyBinding[], width: number): Line {
  const entries = bindings.flatMap(({ name, short }) =>
    short === null ? [] : [[span(name, 'strong'), span(` ${short}`, 'dim')]],
  )
  const last = entries.at(-1) ?? []
  let line: Line = []
  for (const entry of entries.slice(0, -1)) {
    const next = [...line, ...entry, span('  ')]
    if (lineWidth([...next, ...last]) > width) break
    line = next
  }
  return [...line, ...last]
}
