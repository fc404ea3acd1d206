import type { ConnectOptions } from '../server/connect.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-code.ts'
import type { WatchFlags } from './flags.ts'
import { onSignal } from './on-signal.ts'
import { stopProcesses } from './stop-processes.ts'
import { systemClock } from './system-clock.ts'
import { colours, isAscii } from './terminal.ts'
import { startWatching } from './watching.ts'

/** The servers on the screen, until `q` or a signal. Returns the exit code. */
export async function watchOnScreen(
  targets: readonly ConnectOptions[],
  flags: WatchFlags,
  context: CliContext,
): Promise<number> {
  const { mountWatch } = await import('../tui/watch.tsx')
  const ended = Promise.withResolvers<number>()
  onSignal(ended.resolve)
  const watching = startWatching(targets, () => screen.changed())
  const screen = mountWatch({
    servers: watching.servers,
    now: systemClock.now,
    stdout: context.stdout,
    stdin: context.stdin,
    colours: colours(flags, context),
    ascii: isAscii(flags, context),
    onQuit: () => ended.resolve(exitCodes.done),
    onInterrupt: () => ended.resolve(exitCodes.interrupted),
    onSuspend: stopProcesses,
  })
  screen.waitUntilExit().catch(context.crash)
  context.crashHandlers.add(screen.unmount)
  // Whoever continued the process may have left something on the terminal.
  process.on('SIGCONT', screen.repaint)
  try {
    await Promise.race([ended.promise, watching.ended])
    return await ended.promise
  } finally {
    process.off('SIGCONT', screen.repaint)
    screen.unmount()
    context.crashHandlers.delete(screen.unmount)
    await watching.stop()
  }
}
