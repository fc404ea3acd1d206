import type { EventLog } from '../runner/event-log.ts'
import { finalSummary } from '../tui/final-summary.ts'
import type { CliContext } from './context.ts'
import type { RunFlags } from './flags.ts'
import { headlessReader } from './headless.ts'

export type View = {
  /** Gives the terminal back; the first call leaves the summary where the screen was. */
  close(): void
}

type ViewFlags = Pick<RunFlags, 'headless' | 'events' | 'ascii' | 'color' | 'fps'>

/** The screen when stdout is a terminal, else plain lines on stderr. `onInterrupt`: Ctrl-C inside the screen. */
export async function openView(
  log: EventLog,
  flags: ViewFlags,
  context: CliContext,
  savedTo: () => string | null,
  onInterrupt: () => void,
): Promise<View> {
  const { stdin, stdout, stderr, env, crash } = context
  const isTerminal = stdout.isTTY === true && stdin.isTTY === true && env.TERM !== 'dumb'
  const isScreen = isTerminal && !flags.headless && flags.events !== '-'
  const ascii = flags.ascii || !isUtf8(env)
  if (!isScreen) return headlessView(log, stderr, ascii, savedTo)
  const { mountTui } = await import('../tui/mount.tsx')
  const tui = mountTui({
    run: log,
    stdout,
    stdin,
    colours: colours(flags, context),
    ascii,
    fps: flags.fps,
    onInterrupt,
  })
  tui.waitUntilExit().catch(crash)
  return closeOnce(() => {
    tui.unmount()
    if (log.state.ending !== null) stdout.write(`\n${finalSummary(log.state, { savedTo: savedTo(), ascii })}`)
  })
}

function headlessView(
  log: EventLog,
  stderr: NodeJS.WriteStream,
  ascii: boolean,
  savedTo: () => string | null,
): View {
  const read = headlessReader(
    line => stderr.write(`${line}\n`),
    () => new Date().toISOString(),
  )
  for (const event of log.state.history) read(event, log.state)
  const unsubscribe = log.subscribe(read)
  return closeOnce(() => {
    unsubscribe()
    if (log.state.ending !== null) stderr.write(`\n${finalSummary(log.state, { savedTo: savedTo(), ascii })}`)
  })
}

/** How many colours to use; NO_COLOR set to anything asks for none. */
function colours({ color }: ViewFlags, { env, stdout }: CliContext): 0 | 16 | 256 {
  if (!color || (env.NO_COLOR !== undefined && env.NO_COLOR !== '')) return 0
  return stdout.getColorDepth() >= 8 ? 256 : 16
}

function isUtf8({ LC_ALL, LC_CTYPE, LANG }: CliContext['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return locale === '' || /utf-?8/i.test(locale)
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
