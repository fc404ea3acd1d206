import { randomBytes, randomUUID } from 'node:crypto'
import { cpus, platform, totalmem } from 'node:os'
import { TokgridError } from '../domain/failure.ts'
import { planMatrix } from '../domain/plan.ts'
import type { RunOptions } from '../domain/run-options.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { LoadTarget } from '../load/messages.ts'
import { promptSet } from '../load/prompt.ts'
import { buildResult, type Surroundings } from '../result/build-result.ts'
import { EventLog } from '../runner/event-log.ts'
import { runBenchmark } from '../runner/run-benchmark.ts'
import type { Connection } from '../server/connect.ts'
import { createSampler } from '../server/sampler.ts'
import { confirm } from './confirm.ts'
import type { CliContext } from './context.ts'
import { exitCodeOf } from './exit-code.ts'
import type { RunFlags } from './flags.ts'
import { openOutputs } from './outputs.ts'
import { redactCommand } from './redact-command.ts'
import { describePlan, isLongRun } from './run-estimate.ts'
import { StopSignals } from './stop-signals.ts'
import { systemClock } from './system-clock.ts'
import { readText } from './target.ts'
import { openView } from './view.ts'

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
  await agreeToLongRun(log, flags, context)

  const surroundings = describeSurroundings(facts.url, context)
  const outputs = openOutputs(log, flags, context, state => buildResult(state, surroundings))
  const load = new LoadGenerator({
    target: loadTarget(connection, flags, options, headers),
    prompts,
    workers:
      flags.workers ??
      Math.max(
        1,
        Math.min(cpus().length - 1, Math.ceil(Math.max(...options.concurrency) / streamsPerWorker)),
      ),
  })
  const view = await openView(log, flags, context, outputs.path, () => signals.interrupt(), context.crash)
  const signals = new StopSignals({
    onStop: () => log.ask('stop'),
    onStopNow: () => {
      view.close()
      log.append({
        kind: 'run-ended',
        ending: 'stopped',
        wallTime: systemClock.wallTime(),
        message: 'stopped at once',
      })
      outputs.finish()
      process.exit(exitCodeOf(log.state, signals.stoppedBy))
    },
    onHangUp: () => view.close(),
  })
  const onCrash = () => {
    view.close()
    outputs.finish()
  }
  context.crashHandlers.add(onCrash)
  try {
    const state = await runBenchmark({
      log,
      clock: systemClock,
      load,
      sampler: createSampler(connection, systemClock),
    })
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

function loadTarget(
  { facts, adapter }: Connection,
  flags: RunFlags,
  options: RunOptions,
  headers: Readonly<Record<string, string>>,
): LoadTarget {
  const url = new URL(facts.url)
  const prefix = url.pathname.replace(/\/+$/, '')
  if (adapter.abort !== null && adapter.abort.idField !== 'rid')
    throw new TokgridError(
      'usage',
      `${adapter.name} aborts by ${adapter.abort.idField}, which is not supported yet`,
    )
  return {
    origin: url.origin,
    path: `${prefix}${flags.endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions'}`,
    endpoint: flags.endpoint,
    openPath: `${prefix}/v1/models`,
    abortPath: adapter.abort === null ? null : `${prefix}${adapter.abort.path}`,
    headers,
    insecure: flags.insecure,
    model: facts.model.id,
    ignoreEos: !options.respectEos,
    temperature: options.temperature,
    extraBody: flags.extraBody,
    stallTimeoutMs: options.stallTimeoutSeconds * 1000,
    firstTokenTimeoutMs,
  }
}

/** A million cold tokens take minutes to read. */
const firstTokenTimeoutMs = 30 * 60 * 1000

async function agreeToLongRun(log: EventLog, flags: RunFlags, context: CliContext): Promise<void> {
  const isTerminal = context.stdin.isTTY === true && context.stderr.isTTY === true
  if (flags.yes || flags.headless || !isTerminal || !isLongRun(log.state)) return
  context.stderr.write(describePlan(log.state))
  if (!(await confirm('Start? [y/N] ', context)))
    throw new TokgridError('usage', 'not started', 'narrow the matrix, or give -y')
}

/** The machine that the load comes from is the server's only when the server is on it. */
function describeSurroundings(url: string, { version }: CliContext): Surroundings {
  const isLocal = /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)
  const host = {
    cpu: cpus()[0]?.model ?? null,
    cores: cpus().length,
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    os: platform(),
  }
  return {
    tool: { name: 'tokgrid', version, node: process.versions.node },
    hardware: { gpus: null, host: isLocal ? host : null },
  }
}
