import { pad } from '../format/text-width.ts'
import { wrap, wrapList } from '../format/wrap.ts'
import { type Line, type Style, span } from './span.ts'

/** What is known of one thing, in words and figures. */
export type Fact = {
  readonly label: string
  /** A sentence, or single figures. */
  readonly text: string | readonly string[]
  readonly style?: Style
}

const labelWidth = 14

/** Label at the left, text beside it, long texts in several lines. */
export function factLines(facts: readonly Fact[], width: number): readonly Line[] {
  return facts.flatMap(({ label, text, style = 'plain' }) =>
    (typeof text === 'string' ? wrap(text, width - labelWidth) : wrapList(text, width - labelWidth)).map(
      (part, line): Line => [span(pad(line === 0 ? label : '', labelWidth), 'dim'), span(part, style)],
    ),
  )
}
