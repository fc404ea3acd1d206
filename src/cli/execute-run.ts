import { randomBytes, randomUUID } from 'node:crypto'
import { TokgridError } from '../domain/failure.ts'
import { planMatrix } from '../domain/plan.ts'
import type { RunOptions } from '../domain/run-options.ts'
import type { RunState } from '../domain/run-state.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import { promptSet } from '../load/prompt.ts'
import { buildResult } from '../result/build-result.ts'
import { resumeFrom, takesAll } from '../result/resume.ts'
import type { RunResult } from '../result/schema.ts'
import { EventLog } from '../runner/event-log.ts'
import { runBenchmark } from '../runner/run-benchmark.ts'
import { commandText } from '../server/command-text.ts'
import type { Connection, ConnectOptions } from '../server/connect.ts'
import { observeOnce } from '../server/observe.ts'
import { createSampler } from '../server/sampler.ts'
import { confirm } from './confirm.ts'
import type { CliContext } from './context.ts'
import { describeOrigins } from './describe-origins.ts'
import { descriptionOf } from './description-flags.ts'
import { exitCodeOf } from './exit-code.ts'
import { withLaunchCommand } from './find-launch.ts'
import type { RunFlags } from './flags.ts'
import { openHardware } from './hardware.ts'
import { loadTarget } from './load-target.ts'
import { openOutputs } from './outputs.ts'
import { readResultFile } from './read-result-file.ts'
import { requireSlo } from './require-slo.ts'
import { describePlan, isLongRun } from './run-estimate.ts'
import { StopSignals } from './stop-signals.ts'
import { describeSurroundings } from './surroundings.ts'
import { systemClock } from './system-clock.ts'
import { readText } from './target.ts'
import { openView, type View } from './view.ts'
import { workersFor } from './workers.ts'

export type RunRequest = {
  readonly connection: Connection
  readonly flags: RunFlags
  readonly options: RunOptions
  /** How the connection was made. */
  readonly target: ConnectOptions
}

/** Plans, shows, measures, saves. Returns the exit code. Rejects with TokgridError before anything is measured. */
export async function executeRun(
  { connection, flags, options, target }: RunRequest,
  context: CliContext,
): Promise<number> {
  const facts = withLaunchCommand(connection.facts)
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
    command: commandText(['tokgrid', ...context.words]),
    options,
    promptSet: promptSet(prompts),
  })
  log.append({ kind: 'server-connected', server: facts })
  log.append({ kind: 'matrix-planned', plan: planMatrix(options, facts.limits) })
  const surroundings = describeSurroundings(context, descriptionOf(flags))
  const build = (state: RunState) => buildResult(state, surroundings)
  const replaced = flags.resume === undefined ? null : resume(log, flags.resume, build)
  if (flags.dryRun) {
    context.stdout.write(describePlan(log.state) + describeOrigins(context.origins))
    return 0
  }
  await tellOfOthers(connection, context)
  await agreeToLongRun(log, flags, context)

  const outputs = openOutputs(log, flags, replaced, context, build)
  const load = new LoadGenerator({
    target: loadTarget(connection, flags, options, target),
    prompts,
    workers: flags.workers ?? workersFor(Math.max(...options.concurrency)),
  })
  const hardware = openHardware(facts.url, flags)
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
      void hardware?.stop()
      process.exit(exitCodeOf(log.state, signals.stoppedBy))
    },
    onHangUp: () => view?.close(),
  })
  const onCrash = () => end('aborted', 'tokgrid failed')
  context.crashHandlers.add(onCrash)
  try {
    view = await openView(log, flags, context, outputs, {
      onInterrupt: () => signals.interrupt(),
      peek: chars => load.peek(chars),
    })
    const state = await runBenchmark({
      log,
      clock: systemClock,
      load,
      sampler: createSampler(connection, systemClock),
      hardware,
    })
    outputs.save()
    view.close()
    const code = Math.max(outputs.finish(), exitCodeOf(state, signals.stoppedBy))
    return requireSlo(code, state, flags.require, line => context.stderr.write(`${line}\n`))
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

/** Takes over what the file has of the plan. Returns the file when the new result holds all of it, else `null`. */
function resume(log: EventLog, file: string, build: (state: RunState) => RunResult | null): string | null {
  const planned = build(log.state)
  if (planned === null) return null
  const earlier = readResultFile(file)
  const taken = resumeFrom(earlier, log.state, planned, file)
  log.append({ kind: 'results-taken-over', taken })
  return takesAll(earlier, taken) ? file : null
}

/** A server that already serves others gives figures that are not its own. */
async function tellOfOthers(connection: Connection, { stderr }: CliContext): Promise<void> {
  const { running, queued } = await observeOnce(connection, systemClock)
  const others = (running ?? 0) + (queued ?? 0)
  if (others > 0) stderr.write(`tokgrid: the server already works on ${others} requests of someone else\n`)
}

async function agreeToLongRun(log: EventLog, flags: RunFlags, context: CliContext): Promise<void> {
  const isTerminal = context.stdin.isTTY === true && context.stderr.isTTY === true
  if (flags.yes || flags.headless || flags.quiet || !isTerminal || !isLongRun(log.state)) return
  context.stderr.write(describePlan(log.state))
  if (!(await confirm('Start? [y/N] ', context)))
    throw new TokgridError('usage', 'not started', 'narrow the matrix, or give -y')
}
