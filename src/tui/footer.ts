import type { RunProgress } from '../domain/progress.ts'
import { gauge } from '../format/gauge.ts'
import { clock } from '../format/units.ts'
import { confirmBindings, type KeyBinding, keyBindings } from './keys.ts'
import { type Line, lineWidth, span } from './span.ts'

/** Progress of the run, and the keys. */
export function footerLines(progress: RunProgress, isConfirming: boolean, width: number): readonly Line[] {
  return [progressLine(progress, width), isConfirming ? questionLine() : keyLine(keyBindings)]
}

/** All that a terminal below the smallest layout shows. */
export function progressLine(
  { done, total, elapsedSeconds, remainingSeconds }: RunProgress,
  width: number,
): Line {
  const text: Line = [
    span(` ${done}/${total}`, 'strong'),
    span(
      `  ${clock(elapsedSeconds)} gone${remainingSeconds === 0 ? '' : `, about ${clock(remainingSeconds)} left`}`,
    ),
  ]
  const { full, rest } = gauge(total === 0 ? null : done / total, Math.max(0, width - lineWidth(text)))
  return [span(full, 'live'), span(rest, 'dim'), ...text]
}

function keyLine(bindings: readonly KeyBinding[]): Line {
  return bindings.flatMap(({ keys, short }) =>
    short === null ? [] : [span(keys.join('/'), 'strong'), span(` ${short}   `, 'dim')],
  )
}

/** What `q` asks. */
export function questionLine(): Line {
  return [span('Stop the run? ', 'warn'), ...keyLine(confirmBindings)]
}
