import { terminalReport } from '../report/terminal-report.ts'
import type { EventLog } from '../runner/event-log.ts'
import type { CliContext } from './context.ts'
import type { RunFlags } from './flags.ts'
import { headlessReader } from './headless.ts'
import { outputPeek } from './output-peek.ts'
import type { Outputs } from './outputs.ts'
import { stopProcesses } from './stop-processes.ts'
import { colours, isAscii, isTerminal, widthOf } from './terminal.ts'

export type View = {
  /** Gives the terminal back; the first call leaves the summary where the screen was. */
  close(): void
}

type ViewFlags = Pick<RunFlags, 'headless' | 'quiet' | 'events' | 'ascii' | 'color' | 'fps'>

/** What the screen wants of others. */
export type ViewWishes = {
  /** Ctrl-C inside the screen. */
  readonly onInterrupt: () => void
  /** The last characters that one stream was answered. */
  readonly peek: (chars: number) => Promise<string | null>
}

/** The screen when stdout is a terminal, else plain lines on stderr. */
export async function openView(
  log: EventLog,
  flags: ViewFlags,
  context: CliContext,
  outputs: Pick<Outputs, 'savedTo' | 'trouble' | 'result'>,
  { onInterrupt, peek }: ViewWishes,
): Promise<View> {
  const { stdin, stdout, stderr, crash } = context
  const isScreen = isTerminal(context) && !flags.headless && !flags.quiet && flags.events !== '-'
  const ascii = isAscii(flags, context)
  const summary = (stream: NodeJS.WriteStream) => {
    const result = log.state.ending === null ? null : outputs.result()
    if (result === null) return ''
    const plain = { width: widthOf(stream, context), ascii, emphasis: false, details: false, slo: null }
    return `\n${terminalReport(result, { ...plain, savedTo: outputs.savedTo() })}`
  }
  if (!isScreen)
    return headlessView(log, stderr, flags.quiet, () =>
      flags.quiet ? savedLine(outputs.savedTo()) : summary(stderr),
    )
  const { mountTui } = await import('../tui/mount.tsx')
  const tui = mountTui({
    run: log,
    stdout,
    stdin,
    colours: colours(flags, context),
    ascii,
    fps: flags.fps,
    onInterrupt,
    onSuspend: stopProcesses,
    output: outputPeek(peek),
    trouble: outputs.trouble,
  })
  tui.waitUntilExit().catch(crash)
  // Whoever continued the process may have left something on the terminal.
  process.on('SIGCONT', tui.repaint)
  return closeOnce(() => {
    process.off('SIGCONT', tui.repaint)
    tui.unmount()
    stdout.write(summary(stdout))
  })
}

function savedLine(path: string | null): string {
  return path === null ? '' : `result in ${path}\n`
}

function headlessView(
  log: EventLog,
  stderr: NodeJS.WriteStream,
  quiet: boolean,
  summary: () => string,
): View {
  const read = headlessReader(
    line => stderr.write(`${line}\n`),
    () => new Date().toISOString(),
    quiet,
  )
  for (const event of log.state.history) read(event, log.state)
  const unsubscribe = log.subscribe(read)
  return closeOnce(() => {
    unsubscribe()
    stderr.write(summary())
  })
}

function closeOnce(close: () => void): View {
  let isOpen = true
  return {
    close: () => {
      if (isOpen) close()
      isOpen = false
    },
  }
}
