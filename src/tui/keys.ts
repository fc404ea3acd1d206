/** What a key makes the screen or the run do. */
export type Action =
  | 'ask-stop'
  | 'skip-cell'
  | 'next-figure'
  | 'toggle-help'
  | 'confirm'
  | 'cancel'
  | 'interrupt'

export type KeyBinding = {
  readonly keys: readonly string[]
  readonly action: Action
  /** For the footer; `null`: only help tells it. */
  readonly short: string | null
  /** For the help. */
  readonly long: string
}

/** All keys; help and footer are made from these. */
export const keyBindings: readonly KeyBinding[] = [
  {
    keys: ['q'],
    action: 'ask-stop',
    short: 'stop',
    long: 'stop the run; asks once, what was measured is saved',
  },
  { keys: ['s'], action: 'skip-cell', short: 'skip cell', long: 'skip the cell that is running' },
  {
    keys: ['m'],
    action: 'next-figure',
    short: 'figure',
    long: 'show the next figure: tok/s, per request, TTFT, ITL',
  },
  { keys: ['?'], action: 'toggle-help', short: 'help', long: 'show or hide this help' },
  {
    keys: ['Ctrl-C'],
    action: 'interrupt',
    short: null,
    long: 'stop without the question; twice ends at once',
  },
]

/** While the question of `q` stands. */
export const confirmBindings: readonly KeyBinding[] = [
  { keys: ['y', 'Enter', 'q'], action: 'confirm', short: 'stop', long: 'stop the run' },
  { keys: ['Esc', 'n'], action: 'cancel', short: 'go on', long: 'go on' },
]

/** What `key` does; `null`: nothing. With help open every key but Ctrl-C closes it. */
export function actionFor(
  key: string,
  ui: { readonly confirming: boolean; readonly help: boolean },
): Action | null {
  if (key === 'Ctrl-C') return 'interrupt'
  if (ui.help) return 'toggle-help'
  const bindings = ui.confirming ? confirmBindings : keyBindings
  return bindings.find(({ keys }) => keys.includes(key))?.action ?? null
}
