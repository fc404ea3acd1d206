import { render } from 'ink'
import type { Ask } from '../domain/events.ts'
import { canRedo } from '../domain/retry.ts'
import type { Run } from '../runner/run.ts'
import { KeyInput } from './key-input.tsx'
import { type Action, actionFor } from './keys.ts'
import type { Size } from './layout.ts'
import { Screen, type ScreenProps, scrollingOf } from './screen.tsx'
import { cellAt, selectedPlace } from './selection.ts'
import { terminalLoan } from './terminal-loan.ts'
import type { Colours } from './theme.ts'
import { initialUi, reduceUi } from './ui-state.ts'

export type TuiOptions = {
  readonly run: Run
  /** Has to be a terminal; whoever mounts has checked. */
  readonly stdout: NodeJS.WritableStream & Size
  readonly stdin: NodeJS.ReadableStream
  readonly colours: Colours
  readonly ascii: boolean
  /** Redraws each second while the run goes on, at most 10. */
  readonly fps: number
  /** Ctrl-C: the terminal is in raw mode and sends no signal. */
  readonly onInterrupt: () => void
  /** Ctrl-Z, when the terminal has been given back: stops the process, resolves when it goes on. */
  readonly onSuspend: () => Promise<void>
  /** The last text of one stream, asked for only while it is on the screen; `null`: not told. */
  readonly output: () => string | null
  /** What went wrong beside the run, in a few words; `null`: nothing. */
  readonly trouble: () => string | null
}

export type Tui = {
  /** Draws all anew, for when something else has drawn on the terminal. */
  repaint(): void
  unmount(): void
  waitUntilExit(): Promise<void>
}

const mostFps = 10
/** Elapsed times and the age of samples go on when nothing happens. */
const idleRedrawMs = 1000
/** A process that was stopped for longer has missed what its streams sent. */
const leastStopMs = 500

/** Shows a run on the alternate screen until `unmount`; redraws only when something changed. */
export function mountTui(options: TuiOptions): Tui {
  const { run, stdout, stdin, colours, ascii } = options
  const theme = { colours, ascii }
  const frameMs = 1000 / Math.min(mostFps, Math.max(1, options.fps))
  let ui = initialUi
  let timer: NodeJS.Timeout | null = null
  let drawnAt = run.now()
  let isOpen = true

  const screen = (): ScreenProps => ({
    state: run.state,
    ui,
    now: run.now(),
    size: { columns: stdout.columns, rows: stdout.rows },
    theme,
    output: ui.overlay === 'output' ? options.output() : null,
    trouble: options.trouble(),
  })
  const act = (action: Action) => {
    const wish = wishOf(action, screen())
    if (wish !== null) run.ask(wish)
    ui = reduceUi(ui, action, run.state, scrollingOf(screen()))
    if (action === 'interrupt') options.onInterrupt()
    if (action === 'suspend') void loan.during(() => suspend(run, options.onSuspend))
    if (action === 'repaint') repaint()
    draw()
  }
  const loan = terminalLoan(() => draw())
  const repaint = () => void loan.during(async () => {})
  const frame = () => (
    <KeyInput
      onKey={key => {
        const action = actionFor(key, ui)
        if (action !== null) act(action)
      }}
      onReady={loan.onReady}
    >
      <Screen {...screen()} />
    </KeyInput>
  )
  const draw = () => {
    if (!isOpen) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(draw, idleRedrawMs)
    drawnAt = run.now()
    ink.rerender(frame())
  }
  const drawSoon = () => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(draw, Math.max(0, drawnAt + frameMs - run.now()))
  }

  // Before Ink's own listener, so that Ink never lays out an old frame in a new size.
  stdout.on('resize', draw)
  const ink = render(frame(), {
    stdout,
    stdin,
    alternateScreen: true,
    incrementalRendering: true,
    interactive: true,
    exitOnCtrlC: false,
    maxFps: mostFps,
  })
  const unsubscribe = run.subscribe(drawSoon)
  timer = setTimeout(draw, idleRedrawMs)
  const stop = () => {
    isOpen = false
    unsubscribe()
    stdout.off('resize', draw)
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const exited = ink.waitUntilExit().finally(stop)
  return {
    repaint,
    unmount: () => {
      stop()
      ink.unmount()
    },
    waitUntilExit: async () => {
      await exited
    },
  }
}

/** What a key asks of the run; `null`: nothing. */
function wishOf(action: Action, { state, ui }: ScreenProps): Ask | null {
  if (action === 'confirm') return 'stop'
  if (action === 'skip-cell') return state.job === null ? null : 'skip-cell'
  if (action === 'pause') return state.pauseAsked ? 'resume' : 'pause'
  const place = action === 'redo-cell' ? selectedPlace(state, ui.selected) : null
  const cell = cellAt(state, place)
  return place?.kind === 'cell' && cell !== null && canRedo(cell)
    ? { kind: 'redo-cell', cell: place.cell }
    : null
}

/** While the process stood still its streams went on: what the running cell had is worth nothing. */
async function suspend(run: Run, onSuspend: () => Promise<void>): Promise<void> {
  const since = run.now()
  await onSuspend()
  const target = run.state.job?.target
  if (run.now() - since > leastStopMs && target?.kind === 'cell')
    run.ask({ kind: 'redo-cell', cell: target.cell })
}
