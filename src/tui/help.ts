import { pad } from '../format/text-width.ts'
import { figures } from './figures.ts'
import { keyBindings } from './keys.ts'
import type { Area } from './layout.ts'
import { limitWords, marks } from './marks.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

const nameWidth = 20

/** Keys, figures and marks. */
export function helpLines({ width, height }: Area): readonly Line[] {
  return fitHeight(
    [
      heading('Keys', '', [span('any key closes', 'dim')], width),
      ...keyBindings.map(({ keys, long }) => entry(keys.join(' '), long)),
      heading('Figures', '', [], width),
      ...figures.map(({ name, meaning }) => entry(name, meaning)),
      heading('Marks', '', [], width),
      ...Object.values(marks)
        .filter(({ symbol }) => symbol !== ' ')
        .map(({ symbol, meaning }) => entry(symbol, meaning)),
      ...Object.values(limitWords).map(({ short, long }) => entry(`${short}×`, `no room: ${long}`)),
    ],
    height,
  )
}

function entry(name: string, meaning: string): Line {
  return [span(pad(name, nameWidth), 'strong'), span(meaning)]
}
