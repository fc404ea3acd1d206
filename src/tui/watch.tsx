import { render } from 'ink'
import type { ReactNode } from 'react'
import { KeyInput } from './key-input.tsx'
import type { Size } from './layout.ts'
import { Pane } from './pane.tsx'
import { terminalLoan } from './terminal-loan.ts'
import type { Colours, Theme } from './theme.ts'
import { watchAction, watchFooter, watchHelp } from './watch-keys.ts'
import { type WatchedServer, watchLines } from './watch-view.ts'

export type WatchOptions = {
  readonly servers: () => readonly WatchedServer[]
  /** ms on the clock of the samples. */
  readonly now: () => number
  /** Has to be a terminal; whoever mounts has checked. */
  readonly stdout: NodeJS.WritableStream & Size
  readonly stdin: NodeJS.ReadableStream
  readonly colours: Colours
  readonly ascii: boolean
  readonly onQuit: () => void
  /** Ctrl-C: the terminal is in raw mode and sends no signal. */
  readonly onInterrupt: () => void
  /** Ctrl-Z, when the terminal has been given back: stops the process, resolves when it goes on. */
  readonly onSuspend: () => Promise<void>
}

export type WatchScreen = {
  /** Draws what has changed, soon. */
  changed(): void
  /** Draws all anew, for when something else has drawn on the terminal. */
  repaint(): void
  unmount(): void
  waitUntilExit(): Promise<void>
}

/** Servers are looked at once a second; several that answer within this are drawn at once. */
const frameMs = 250
/** The age of samples goes on when nothing comes. */
const idleRedrawMs = 1000

/** Shows servers on the alternate screen until `unmount`. */
export function mountWatch(options: WatchOptions): WatchScreen {
  const { stdout, stdin, colours, ascii } = options
  let help = false
  let timer: NodeJS.Timeout | null = null
  let isSoon = false
  const loan = terminalLoan(() => draw())
  const repaint = () => void loan.during(async () => {})
  const onKey = (key: string) => {
    const action = watchAction(key, help)
    if (action === 'quit') options.onQuit()
    if (action === 'interrupt') options.onInterrupt()
    if (action === 'suspend') void loan.during(options.onSuspend)
    if (action === 'repaint') repaint()
    if (action !== 'toggle-help') return
    help = !help
    draw()
  }
  const frame = () => (
    <KeyInput onKey={onKey} onReady={loan.onReady}>
      <Watch
        servers={options.servers()}
        now={options.now()}
        size={{ columns: stdout.columns, rows: stdout.rows }}
        theme={{ colours, ascii }}
        help={help}
      />
    </KeyInput>
  )
  const drawIn = (ms: number) => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(draw, ms)
  }
  const draw = () => {
    isSoon = false
    drawIn(idleRedrawMs)
    ink.rerender(frame())
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
  })
  drawIn(idleRedrawMs)
  const stop = () => {
    stdout.off('resize', draw)
    if (timer !== null) clearTimeout(timer)
  }
  const exited = ink.waitUntilExit().finally(stop)
  return {
    changed: () => {
      if (!isSoon) drawIn(frameMs)
      isSoon = true
    },
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

export type WatchProps = {
  readonly servers: readonly WatchedServer[]
  readonly now: number
  readonly size: Size
  readonly theme: Theme
  readonly help: boolean
}

/** All servers and the keys, never larger than `size`. */
export function Watch({ servers, now, size, theme, help }: WatchProps): ReactNode {
  const width = size.columns
  // A full last line makes some terminals scroll.
  const area = { width, height: Math.max(1, size.rows - 2) }
  const body = help ? watchHelp(area) : watchLines(servers, now, area)
  return <Pane lines={[...body, watchFooter(servers.length, width)]} width={width} theme={theme} />
}
