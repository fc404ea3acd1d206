import { pad } from '../format/text-width.ts'
import type { Area } from './layout.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

/** What a key does to the screen of `watch`. */
export type WatchAction = 'quit' | 'toggle-help' | 'interrupt'

const keys: readonly (readonly [key: string, action: WatchAction, short: string, long: string])[] = [
  ['q', 'quit', 'quit', 'leave; the servers are not touched'],
  ['?', 'toggle-help', 'help', 'show or hide this help'],
  ['Ctrl-C', 'interrupt', '', 'leave as after a signal (exit code 130)'],
]

const figures: readonly (readonly [name: string, meaning: string])[] = [
  ['running', 'requests that the server decodes'],
  ['queued', 'requests that wait for their turn'],
  ['generated tok/s', 'output tokens by the increase of the live counter'],
  ['prompt tok/s', 'prompt tokens that were computed, cached ones left out'],
  ['KV cache', 'share of the cache that running requests hold'],
  ['accepted', 'tokens of a step of a speculative server'],
  ['cached prompt', 'share of the prompt tokens that were in the cache'],
  ['–', 'the server does not tell'],
]

/** With help open every key but Ctrl-C closes it; `null`: the key does nothing. */
export function watchAction(key: string, help: boolean): WatchAction | null {
  if (help && key !== 'Ctrl-C') return 'toggle-help'
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
      ...figures.map(([name, meaning]) => entry(name, meaning)),
    ],
    height,
  )
}
