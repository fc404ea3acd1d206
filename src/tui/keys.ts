/** What a key makes the screen or the run do. */
export type Action =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'first'
  | 'last'
  | 'open'
  | 'back'
  | 'explain'
  | 'next-figure'
  | 'previous-figure'
  | 'output'
  | 'skip-cell'
  | 'redo-cell'
  | 'pause'
  | 'view-grid'
  | 'view-cell'
  | 'view-server'
  | 'view-events'
  | 'next-view'
  | 'help'
  | 'ask-stop'
  | 'confirm'
  | 'cancel'
  | 'interrupt'
  | 'suspend'
  | 'repaint'

export type KeyBinding = {
  /** As help and footer call the keys. */
  readonly name: string
  readonly keys: Readonly<Record<string, Action>>
  /** For the footer; `null`: only help tells it. */
  readonly short: string | null
  /** For the help. */
  readonly long: string
}

/** All keys; help, footer and dispatch are made from these. The footer drops from the end when it has no room. */
export const keyBindings: readonly KeyBinding[] = [
  {
    name: 'q',
    keys: { q: 'ask-stop' },
    short: 'stop',
    long: 'stop the run; asks once, what was measured is saved',
  },
  {
    name: 'Enter',
    keys: { Enter: 'open' },
    short: 'open',
    long: 'show the selected cell in detail',
  },
  {
    name: 'm',
    keys: { m: 'next-figure', M: 'previous-figure' },
    short: 'figure',
    long: 'show the next figure in the grid; M: the one before',
  },
  {
    name: 's',
    keys: { s: 'skip-cell' },
    short: 'skip',
    long: 'skip the cell that is running',
  },
  {
    name: 'r',
    keys: { r: 'redo-cell' },
    short: 'redo',
    long: 'measure the selected cell anew; the running one begins anew at once',
  },
  {
    name: 'p',
    keys: { p: 'pause', ' ': 'pause' },
    short: 'pause',
    long: 'pause after the cell that is running, or go on; also the space bar',
  },
  {
    name: 'e',
    keys: { e: 'explain' },
    short: 'explain',
    long: 'explain what limits the selected cell, and what governs it',
  },
  {
    name: 'o',
    keys: { o: 'output' },
    short: 'output',
    long: 'look at what the model writes',
  },
  {
    name: 'Tab',
    keys: { Tab: 'next-view' },
    short: 'view',
    long: 'show the next view',
  },
  {
    name: '1 2 3 4',
    keys: { 1: 'view-grid', 2: 'view-cell', 3: 'view-server', 4: 'view-events' },
    short: null,
    long: 'show grid, cell, server, events',
  },
  {
    name: 'arrows, h j k l',
    keys: {
      Left: 'left',
      Down: 'down',
      Up: 'up',
      Right: 'right',
      h: 'left',
      j: 'down',
      k: 'up',
      l: 'right',
    },
    short: null,
    long: 'move the selection; scroll events and help',
  },
  {
    name: 'PgUp PgDn Home End',
    keys: { PgUp: 'page-up', PgDn: 'page-down', Home: 'first', End: 'last' },
    short: null,
    long: 'scroll any text by pages, to its start, to its end',
  },
  {
    name: 'Esc',
    keys: { Esc: 'back' },
    short: null,
    long: 'go back; in the grid: let the selection follow the run again',
  },
  {
    name: 'Ctrl-C',
    keys: { 'Ctrl-C': 'interrupt' },
    short: null,
    long: 'stop without the question; twice ends at once',
  },
  {
    name: 'Ctrl-Z',
    keys: { 'Ctrl-Z': 'suspend' },
    short: null,
    long: 'suspend tokgrid, fg goes on; a cell that was running begins anew',
  },
  {
    name: 'Ctrl-L',
    keys: { 'Ctrl-L': 'repaint' },
    short: null,
    long: 'draw the screen anew',
  },
  { name: '?', keys: { '?': 'help' }, short: 'help', long: 'show or hide this help' },
]

/** While the question of `q` stands. */
export const confirmBindings: readonly KeyBinding[] = [
  {
    name: 'y/Enter/q',
    keys: { y: 'confirm', Enter: 'confirm', q: 'confirm' },
    short: 'stop',
    long: 'stop the run',
  },
  { name: 'Esc/n', keys: { Esc: 'cancel', n: 'cancel' }, short: 'go on', long: 'go on' },
]

/** What `key` does; `null`: nothing. Whatever is asked, Ctrl-C, Ctrl-Z and Ctrl-L do what they always do. */
export function actionFor(key: string, ui: { readonly confirming: boolean }): Action | null {
  const bindings = ui.confirming && !key.startsWith('Ctrl-') ? confirmBindings : keyBindings
  return bindings.map(({ keys }) => keys[key]).find(action => action !== undefined) ?? null
}
