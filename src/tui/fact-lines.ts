import { pad } from '../format/text-width.ts'
import { wrap } from '../format/wrap.ts'
import { type Line, type Style, span } from './span.ts'

/** What is known of one thing, in words and figures. */
export type Fact = { readonly label: string; readonly text: string; readonly style?: Style }

const labelWidth = 14

/** Label at the left, text beside it, long texts in several lines. */
export function factLines(facts: readonly Fact[], width: number): readonly Line[] {
  return facts.flatMap(({ label, text, style = 'plain' }) =>
    wrap(text, width - labelWidth).map(
      (part, line): Line => [span(pad(line === 0 ? label : '', labelWidth), 'dim'), span(part, style)],
    ),
  )
}
