import type { ConnectOptions } from '../server/connect.ts'
import type { WatchedServer } from '../tui/watch-view.ts'
import type { Command } from './commands.ts'
import { connectOptions } from './connect-options.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-code.ts'
import { readFlags, type WatchFlags, watchFlags } from './flags.ts'
import { onSignal } from './on-signal.ts'
import { systemClock } from './system-clock.ts'
import { targetUrl } from './target.ts'
import { isTerminal } from './terminal.ts'
import { watchOnScreen } from './watch-screen.ts'
import { snapshot, snapshotLine, snapshotText } from './watch-snapshot.ts'
import { startWatching } from './watching.ts'

/** `tokgrid watch [url…]`: what servers do, without a load of ours. Returns the exit code. */
export const watchCommand: Command = async (raw, words, context) => {
  const flags = readFlags(watchFlags, raw)
  const targets = targetsOf(flags, words, context)
  if (flags.once) return watchOnce(targets, flags, context)
  return isTerminal(context) && !isJson(flags) && !flags.headless
    ? watchOnScreen(targets, flags, context)
    : watchInLines(targets, flags, context)
}

function targetsOf(
  flags: WatchFlags,
  words: readonly string[],
  { env }: CliContext,
): readonly ConnectOptions[] {
  const urls = words.length > 0 ? words : [flags.url]
  return urls.map(url => connectOptions(flags, targetUrl({ ...flags, url }, env), env))
}

function isJson({ json, format }: WatchFlags): boolean {
  return json || format === 'json'
}

/** One snapshot of each server; two looks, so that counters tell a rate. */
async function watchOnce(
  targets: readonly ConnectOptions[],
  flags: WatchFlags,
  { stdout }: CliContext,
): Promise<number> {
  const seen = Promise.withResolvers<void>()
  const watching = startWatching(targets, () => {
    if (watching.servers().every(isSeen)) seen.resolve()
  })
  try {
    await Promise.race([seen.promise, watching.ended])
    const shots = watching.servers().map(shotOf)
    stdout.write(
      shots.map(shot => (isJson(flags) ? `${JSON.stringify(shot)}\n` : snapshotText(shot))).join(''),
    )
    return shots.every(({ reachable }) => reachable) ? exitCodes.done : exitCodes.unreachable
  } finally {
    await watching.stop()
  }
}

function isSeen(server: WatchedServer): boolean {
  return server.problem !== null || (isTold(server) && server.state.samples.length !== 1)
}

/** Whether there is something to tell: a look at it, why there is none, or that it never tells anything. */
function isTold({ state: { server, samples }, problem }: WatchedServer): boolean {
  const tellsNothing = server !== null && !server.features.metrics && !server.features.loads
  return problem !== null || tellsNothing || samples.length > 0
}

/** A line for each look at each server, until a signal or until nobody reads any more. */
async function watchInLines(
  targets: readonly ConnectOptions[],
  flags: WatchFlags,
  { stdout }: CliContext,
): Promise<number> {
  const ended = Promise.withResolvers<number>()
  onSignal(ended.resolve)
  stdout.once('error', () => ended.resolve(exitCodes.done))
  const watching = startWatching(targets, server => {
    if (!isTold(server)) return
    const shot = shotOf(server)
    stdout.write(`${isJson(flags) ? JSON.stringify(shot) : snapshotLine(shot)}\n`)
  })
  try {
    await Promise.race([ended.promise, watching.ended])
    return await ended.promise
  } finally {
    await watching.stop()
  }
}

function shotOf(server: WatchedServer) {
  return snapshot(server, systemClock.now(), systemClock.wallTime())
}
