import { pad } from '../format/text-width.ts'
import { wrap } from '../format/wrap.ts'
import { limitWords } from '../report/limit-text.ts'
import { figures } from './figures.ts'
import { keyBindings } from './keys.ts'
import { marks, signs } from './marks.ts'
import type { LongText } from './scrolled.ts'
import { serverWords } from './server-words.ts'
import { heading, type Line, span } from './span.ts'

const nameWidth = 20

/** Keys, marks and figures. */
export function helpText(width: number): LongText {
  const entry = (name: string, meaning: string): readonly Line[] =>
    wrap(meaning, width - nameWidth).map(
      (part, line): Line => [span(pad(line === 0 ? name : '', nameWidth), 'strong'), span(part)],
    )
  const lines = [
    ...keyBindings.flatMap(({ name, long }) => entry(name, long)),
    heading('Marks', '', [], width),
    ...entry('▐ ▌', 'around the selected cell'),
    ...Object.values(marks)
      .filter(({ symbol }) => symbol !== ' ')
      .flatMap(({ symbol, meaning }) => entry(symbol, meaning)),
    ...Object.values(limitWords).flatMap(({ short, long }) =>
      entry(`${short}${marks['over-capacity'].symbol}`, `no room: ${long}`),
    ),
    ...Object.values(signs).flatMap(({ symbol, help }) => entry(symbol, help)),
    ...entry('◂', 'in the table of a cell: the TTFT that stands in the grid'),
    heading('Figures', '', [], width),
    ...figures.flatMap(({ name, meaning }) => entry(name, meaning)),
    ...entry('prefill', 'prompt tok/s of one cold request at a time, its TTFT beneath'),
    heading('Figures of the server', '', [], width),
    ...serverWords.flatMap(([name, meaning]) => entry(name, meaning)),
    ...entry('prefilling', 'requests of ours that neither run nor wait: their prompts are being read'),
  ]
  return { title: 'Keys', lines, startsAt: 'start' }
}
