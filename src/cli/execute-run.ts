import { randomBytes, randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { TokgridError } from '../domain/failure.ts'
import { planMatrix } from '../domain/plan.ts'
import type { RunOptions } from '../domain/run-options.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import { promptSet } from '../load/prompt.ts'
import { buildResult } from '../result/build-result.ts'
import { EventLog } from '../runner/event-log.ts'
import { runBenchmark } from '../runner/run-benchmark.ts'
import type { Connection } from '../server/connect.ts'
import { observeOnce } from '../server/observe.ts'
import { createSampler } from '../server/sampler.ts'
import { confirm } from './confirm.ts'
import type { CliContext } from './context.ts'
import { exitCodeOf } from './exit-code.ts'
import type { RunFlags } from './flags.ts'
import { loadTarget } from './load-target.ts'
import { openOutputs } from './outputs.ts'
import { redactCommand } from './redact-command.ts'
import { describePlan, isLongRun } from './run-estimate.ts'
import { StopSignals } from './stop-signals.ts'
import { describeSurroundings } from './surroundings.ts'
import { systemClock } from './system-clock.ts'
import { readText } from './target.ts'
import { openView, type View } from './view.ts'

/** Streams that one load thread holds comfortably. */
const streamsPerWorker = 256

export type RunRequest = {
  readonly connection: Connection
  readonly flags: RunFlags
  readonly options: RunOptions
  /** Sent with every request; may hold the API key. */
  readonly headers: Readonly<Record<string, string>>
}

/** Plans, shows, measures, saves. Returns the exit code. Rejects with TokgridError before anything is measured. */
export async function executeRun(
  { connection, flags, options, headers }: RunRequest,
  context: CliContext,
): Promise<number> {
  const { facts } = connection
  const log = new EventLog(systemClock)
  const nonce = randomBytes(4).toString('hex')
  const prompts = {
    nonce,
    seed: options.seed,
    text: flags.promptFile === undefined ? null : readText(flags.promptFile, '--prompt-file'),
  }
  log.append({
    kind: 'run-started',
    runId: randomUUID(),
    wallTime: systemClock.wallTime(),
    command: redactCommand(['tokgrid', ...context.words]),
    options,
    promptSet: promptSet(prompts),
  })
  log.append({ kind: 'server-connected', server: facts })
  log.append({ kind: 'matrix-planned', plan: planMatrix(options, facts.limits) })
  if (flags.dryRun) {
    context.stdout.write(describePlan(log.state))
    return 0
  }
  await tellOfOthers(connection, context)
  await agreeToLongRun(log, flags, context)

  const surroundings = describeSurroundings(facts.url, context)
  const outputs = openOutputs(log, flags, context, state => buildResult(state, surroundings))
  const load = new LoadGenerator({
    target: loadTarget(connection, flags, options, headers),
    prompts,
    workers: flags.workers ?? workersFor(Math.max(...options.concurrency)),
  })
  let view: View | null = null
  const end = (ending: 'stopped' | 'aborted', message: string) => {
    if (log.state.ending === null)
      log.append({ kind: 'run-ended', ending, wallTime: systemClock.wallTime(), message })
    outputs.save()
    view?.close()
    return outputs.finish()
  }
  const signals = new StopSignals({
    onStop: () => log.ask('stop'),
    onStopNow: () => {
      end('stopped', 'stopped at once')
      process.exit(exitCodeOf(log.state, signals.stoppedBy))
    },
    onHangUp: () => view?.close(),
  })
  const onCrash = () => end('aborted', 'tokgrid failed')
  context.crashHandlers.add(onCrash)
  try {
    view = await openView(log, flags, context, outputs.savedTo, () => signals.interrupt())
    const state = await runBenchmark({
      log,
      clock: systemClock,
      load,
      sampler: createSampler(connection, systemClock),
    })
    outputs.save()
    view.close()
    return Math.max(outputs.finish(), exitCodeOf(state, signals.stoppedBy))
  } catch (error) {
    onCrash()
    throw error
  } finally {
    context.crashHandlers.delete(onCrash)
    signals.close()
    outputs.close()
    await load.stopThreads()
  }
}

/** Enough threads for the streams, but one core is left to the rest of tokgrid. */
function workersFor(streams: number): number {
  return Math.max(1, Math.min(cpus().length - 1, Math.ceil(streams / streamsPerWorker)))
}

/** A server that already serves others gives figures that are not its own. */
async function tellOfOthers(connection: Connection, { stderr }: CliContext): Promise<void> {
  const { running, queued } = await observeOnce(connection, systemClock)
  const others = (running ?? 0) + (queued ?? 0)
  if (others > 0) stderr.write(`tokgrid: the server already works on ${others} requests of someone else\n`)
}

async function agreeToLongRun(log: EventLog, flags: RunFlags, context: CliContext): Promise<void> {
  const isTerminal = context.stdin.isTTY === true && context.stderr.isTTY === true
  if (flags.yes || flags.headless || !isTerminal || !isLongRun(log.state)) return
  context.stderr.write(describePlan(log.state))
  if (!(await confirm('Start? [y/N] ', context)))
    throw new TokgridError('usage', 'not started', 'narrow the matrix, or give -y')
}
