import { type Key, useApp, useInput } from 'ink'
import type { ReactNode } from 'react'

/** Gives the terminal back for as long as the work takes. */
export type HandOver = (work: () => Promise<void>) => Promise<void>

type KeyInputProps = {
  readonly onKey: (key: string) => void
  readonly onReady: (handOver: HandOver) => void
  readonly children: ReactNode
}

/** Tells of each key by its name, and how to hand the terminal over. */
export function KeyInput({ onKey, onReady, children }: KeyInputProps): ReactNode {
  const { suspendTerminal } = useApp()
  onReady(work => suspendTerminal(work))
  useInput((input, key) => {
    for (const name of keyNames(input, key)) onKey(name)
  })
  return children
}

const namedKeys: readonly (readonly [flag: keyof Key, name: string])[] = [
  ['upArrow', 'Up'],
  ['downArrow', 'Down'],
  ['leftArrow', 'Left'],
  ['rightArrow', 'Right'],
  ['pageUp', 'PgUp'],
  ['pageDown', 'PgDn'],
  ['home', 'Home'],
  ['end', 'End'],
  ['return', 'Enter'],
  ['escape', 'Esc'],
  ['tab', 'Tab'],
]
/** Keys that come among others in one input. */
const namedCharacters: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\t': 'Tab',
  '\u001a': 'Ctrl-Z',
  '\u000c': 'Ctrl-L',
}

/** The keys of one input by the names of `keyBindings`; over a slow line several arrive at once. */
function keyNames(input: string, key: Key): readonly string[] {
  const named = namedKeys.find(([flag]) => key[flag])
  if (named !== undefined) return [named[1]]
  if (key.ctrl) return [`Ctrl-${input.toUpperCase()}`]
  return [...input].map(character => namedCharacters[character] ?? character)
}
