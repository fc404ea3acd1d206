import { render, useInput } from 'ink'
import type { ReactNode } from 'react'
import type { Run } from '../runner/run.ts'
import { type Action, actionFor } from './keys.ts'
import type { Size } from './layout.ts'
import { Screen, type ScreenProps } from './screen.tsx'
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
}

export type Tui = { unmount(): void; waitUntilExit(): Promise<void> }

const mostFps = 10
/** Elapsed times and the age of samples go on when nothing happens. */
const idleRedrawMs = 1000

/** Shows a run on the alternate screen until `unmount`; redraws only when something changed. */
export function mountTui(options: TuiOptions): Tui {
  const { run, stdout, stdin, colours, ascii, onInterrupt } = options
  const theme = { colours, ascii }
  const frameMs = 1000 / Math.min(mostFps, Math.max(1, options.fps))
  let ui = initialUi
  let timer: NodeJS.Timeout | null = null
  let drawnAt = run.now()

  const act = (action: Action) => {
    ui = reduceUi(ui, action)
    if (action === 'confirm') run.ask('stop')
    if (action === 'skip-cell') run.ask('skip-cell')
    if (action === 'interrupt') onInterrupt()
    draw()
  }
  const frame = () => (
    <Keys
      onKey={key => {
        const action = actionFor(key, ui)
        if (action !== null) act(action)
      }}
      screen={{
        state: run.state,
        ui,
        now: run.now(),
        size: { columns: stdout.columns, rows: stdout.rows },
        theme,
      }}
    />
  )
  const draw = () => {
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
    unsubscribe()
    stdout.off('resize', draw)
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const exited = ink.waitUntilExit().finally(stop)
  return {
    unmount: () => {
      stop()
      ink.unmount()
    },
    waitUntilExit: async () => {
      await exited
    },
  }
}

function Keys({ onKey, screen }: { onKey: (key: string) => void; screen: ScreenProps }): ReactNode {
  useInput((input, key) => {
    if (key.ctrl) return input === 'c' ? onKey('Ctrl-C') : undefined
    if (key.return || key.escape) return onKey(key.return ? 'Enter' : 'Esc')
    // Over a slow line several keys arrive as one input.
    for (const character of input) onKey(character)
  })
  return <Screen {...screen} />
}
