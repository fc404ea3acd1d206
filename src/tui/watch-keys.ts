import { pad } from '../format/text-width.ts'
import { unknown } from '../format/units.ts'
import type { Area } from './layout.ts'
import { serverWords } from './server-words.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

/** What a key does to the screen of `watch`. */
export type WatchAction = 'quit' | 'toggle-help' | 'interrupt' | 'suspend' | 'repaint'

const keys: readonly (readonly [key: string, action: WatchAction, short: string, long: string])[] = [
  ['q', 'quit', 'quit', 'leave; the servers are not touched'],
  ['?', 'toggle-help', 'help', 'show or hide this help'],
  ['Ctrl-C', 'interrupt', '', 'leave as after a signal (exit code 130)'],
  ['Ctrl-Z', 'suspend', '', 'suspend tokgrid, fg goes on'],
  ['Ctrl-L', 'repaint', '', 'draw the screen anew'],
]

/** With help open every plain key closes it; `null`: the key does nothing. */
export function watchAction(key: string, help: boolean): WatchAction | null {
  if (help && !key.startsWith('Ctrl-')) return 'toggle-help'
  return keys.find(([name]) => name === key)?.[1] ?? null
}

export function watchFooter(servers: number, width: number): Line {
  const told = keys.flatMap(([key, , short]) =>
    short === '' ? [] : [span(key, 'strong'), span(` ${short}   `, 'dim')],
  )
  return width < 30 || servers < 2 ? told : [...told, span(`${servers} servers`, 'dim')]
}

export function watchHelp({ width, height }: Area): readonly Line[] {
  const entry = (name: string, meaning: string): Line => [span(pad(name, 18), 'strong'), span(meaning)]
  return fitHeight(
    [
      heading('Keys', '', [span('any key closes', 'dim')], width),
      ...keys.map(([key, , , long]) => entry(key, long)),
      heading('Figures', '', [], width),
      ...serverWords.map(([name, meaning]) => entry(name, meaning)),
      entry(unknown, 'the server does not tell'),
    ],
    height,
  )
}
