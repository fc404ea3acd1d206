import { randomBytes } from 'node:crypto'
import {
  checkClock,
  checkLatency,
  checkOpenFiles,
  checkSelfTest,
  checkTerminal,
  type Terminal,
} from '../doctor/client-checks.ts'
import { doctorText } from '../doctor/doctor-text.ts'
import { isTrustworthy } from '../doctor/finding.ts'
import { probeLatency } from '../doctor/latency-probe.ts'
import { openFileLimit } from '../doctor/open-files.ts'
import { type SelfTest, selfTest } from '../doctor/self-test.ts'
import { checkServer } from '../doctor/server-checks.ts'
import { examineServer } from '../doctor/server-probe.ts'
import { checkStream } from '../doctor/stream-checks.ts'
import { probeStream, type StreamProbe } from '../doctor/stream-probe.ts'
import { median } from '../domain/statistics.ts'
import { toAscii } from '../format/ascii.ts'
import type { LoadTarget } from '../load/messages.ts'
import { ridLength } from '../load/request-body.ts'
import { connectServer } from '../server/connect.ts'
import type { Command } from './commands.ts'
import { connectOptions } from './connect-options.ts'
import type { CliContext } from './context.ts'
import { startServer } from './demo-command.ts'
import { exitCodes } from './exit-code.ts'
import { doctorFlags, readFlags } from './flags.ts'
import { loadTarget } from './load-target.ts'
import { runOptions } from './run-plan.ts'
import { systemClock } from './system-clock.ts'
import { targetUrl } from './target.ts'
import { colours, isAscii, isTerminal } from './terminal.ts'
import { withUrl } from './word-lists.ts'
import { workersFor } from './workers.ts'

/** A server that is loaded or cold takes a while; one that is stuck never answers. */
const streamTimeoutMs = 30_000
const probeTokens = 16
const testSeconds = 3
/** Of the simulated server `fast` at speed 1, for each stream. */
const fastChunksPerSecond = 100
const fastMaxRunning = 256
/** A probe of 16 tokens tells the rate roughly; beyond these factors the test would tell of the simulated server. */
const speeds = { least: 0.2, most: 4 }

/** `tokgrid doctor [url]`: what a run there could be trusted for. Returns the exit code. */
export const doctorCommand: Command = async (raw, words, context) => {
  const flags = readFlags(doctorFlags, withUrl(raw, words[0]))
  const streams = Math.max(...flags.concurrency)
  const options = connectOptions(flags, targetUrl(flags, context.env), context.env)
  const connection = await connectServer(options)
  if (context.stderr.isTTY)
    context.stderr.write(`asking ${connection.facts.url}, then trying this client for ${testSeconds} s …\n`)
  try {
    const target = {
      ...loadTarget(connection, flags, runOptions(flags), options),
      firstTokenTimeoutMs: streamTimeoutMs,
      stallTimeoutMs: streamTimeoutMs,
    }
    const nonce = randomBytes(4).toString('hex')
    const server = await examineServer(connection, requestId(nonce, 0), systemClock)
    const latency = await probeLatency(target)
    const [first, again] = await probeStreams(target, nonce)
    const test = await testClient(streams, flags.workers ?? workersFor(streams), first)
    const findings = [
      ...checkServer(server),
      ...checkStream(connection.facts, first, again),
      checkLatency(latency),
      checkClock(latency),
      checkSelfTest(test),
      checkOpenFiles(openFileLimit(), streams),
      checkTerminal(terminalOf(flags, context)),
    ]
    const trustworthy = isTrustworthy(findings)
    const report = { server: connection.facts, findings, events: first.events }
    const { connectMs, roundTripMs } = latency
    const text = doctorText(report)
    context.stdout.write(
      flags.format === 'json'
        ? `${JSON.stringify({ trustworthy, ...report, connectMs, roundTripMs, selfTest: test }, null, 1)}\n`
        : isAscii(flags, context)
          ? text.split('\n').map(toAscii).join('\n')
          : text,
    )
    return trustworthy ? exitCodes.done : exitCodes.untrustworthy
  } finally {
    await connection.close()
  }
}

function requestId(nonce: string, number: number): string {
  return `tgdoctor-${nonce}-${String(number).padStart(6, '0')}`.slice(0, ridLength)
}

/** A prompt that the server cannot know, then the same once more: cached now, where it caches. */
async function probeStreams(
  target: LoadTarget,
  nonce: string,
): Promise<readonly [first: StreamProbe, again: StreamProbe | null]> {
  const prompts = { nonce, seed: 1, text: null }
  const first = await probeStream({ target, prompts, rid: requestId(nonce, 1), maxTokens: probeTokens })
  if (first.trace.outcome.kind === 'failed') return [first, null]
  return [first, await probeStream({ target, prompts, rid: requestId(nonce, 2), maxTokens: 1 })]
}

/** As many streams as a run would hold, each as fast as one was on the server. */
async function testClient(streams: number, workers: number, seen: StreamProbe): Promise<SelfTest | null> {
  const rate = chunksPerSecond(seen) ?? fastChunksPerSecond
  const speed = Math.min(speeds.most, Math.max(speeds.least, rate / fastChunksPerSecond))
  const server = await startServer({
    profile: 'fast',
    speed,
    dataParallelRanks: Math.ceil(streams / fastMaxRunning),
  })
  try {
    return await selfTest(
      {
        server: { url: server.url, model: 'fast' },
        streams,
        workers,
        chunksPerSecond: fastChunksPerSecond * speed,
        seconds: testSeconds,
      },
      systemClock,
    )
  } finally {
    await server.close()
  }
}

function chunksPerSecond({ events }: StreamProbe): number | null {
  const times = events.filter(({ output }) => output !== null).map(({ afterMs }) => afterMs)
  const gap = median(times.slice(1).map((time, index) => time - (times[index] ?? time)))
  return gap === null || gap <= 0 ? null : 1000 / gap
}

function terminalOf(
  flags: { readonly color: boolean; readonly ascii: boolean },
  context: CliContext,
): Terminal {
  if (!isTerminal(context)) return null
  const { columns, rows } = context.stdout
  return { columns, rows, colours: colours(flags, context), unicode: !isAscii(flags, context) }
}
