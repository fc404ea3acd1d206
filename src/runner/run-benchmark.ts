import { edgeLooks } from '../domain/double-entry.ts'
import { nextStep } from '../domain/next-step.ts'
import type { RunState } from '../domain/run-state.ts'
import type { Step } from '../domain/step.ts'
import type { EventLog } from './event-log.ts'
import type { Clock, HardwarePort, LoadPort, SamplerPort } from './ports.ts'

export type RunnerPorts = {
  readonly log: EventLog
  readonly clock: Clock
  readonly load: LoadPort
  readonly sampler: SamplerPort
  /** `null`: the server's machine is not looked at. */
  readonly hardware?: HardwarePort | null
}

/**
 * Carries a planned run to its end: asks the policy for the next step, does it, appends what came of it. Rejects only
 * on a bug or a dead load thread; everything that a server can do wrong is data.
 */
export async function runBenchmark(ports: RunnerPorts): Promise<RunState> {
  const { log, clock, sampler, hardware = null } = ports
  const work = new BackgroundWork()
  sampler.start(sample => log.append({ kind: 'server-sampled', sample }))
  hardware?.start(
    found => log.append({ kind: 'hardware-found', hardware: found }),
    sample => log.append({ kind: 'hardware-sampled', sample }),
  )
  try {
    while (log.state.ending === null) {
      const step = nextStep(log.state, clock.now())
      if (step.do === 'wait') {
        sampler.setPace(step.sampleEveryMs)
        await log.changed(step.until, work.failed)
        work.failed.throwIfAborted()
      } else perform(step, ports, work)
    }
  } finally {
    await Promise.all([sampler.stop(), hardware?.stop()])
  }
  return log.state
}

function perform(
  step: Exclude<Step, { do: 'wait' }>,
  { log, load, sampler, clock }: RunnerPorts,
  work: BackgroundWork,
): void {
  switch (step.do) {
    case 'start-job':
      log.append({ kind: 'job-started', target: step.target })
      return
    case 'end-drain':
      log.append({ kind: 'drain-ended', drained: step.drained })
      return
    case 'enter':
      log.append({ kind: 'phase-entered', phase: step.phase })
      return
    case 'send':
      log.append({ kind: 'phase-entered', phase: 'requests' })
      work.add(async () => {
        const traces = await load.send(step.requests, step.atOnce)
        log.append({ kind: 'requests-ended', traces })
      })
      return
    case 'launch':
      log.append({ kind: 'phase-entered', phase: 'launch' })
      work.add(() =>
        load.launch(step.streams, step.maxTokens, tick => log.append({ kind: 'load-ticked', tick })),
      )
      return
    case 'open-window':
      load.openWindow(step.window)
      sampler.lookAt(edgeLooks(step.window))
      log.append({ kind: 'window-announced', window: step.window })
      return
    case 'close':
      log.append({ kind: 'phase-entered', phase: 'close' })
      work.add(async () => {
        const closed = await load.close()
        log.append({ kind: 'streams-closed', ...closed })
      })
      return
    case 'end-job':
      log.append({ kind: 'job-ended', outcome: step.outcome })
      return
    case 'end-run':
      log.append({
        kind: 'run-ended',
        ending: step.ending,
        message: step.message,
        wallTime: clock.wallTime(),
      })
      return
    default:
      step satisfies never
  }
}

/** Work under way beside the loop; its first failure ends the run. */
class BackgroundWork {
  readonly #failure = new AbortController()
  /** Aborts with the error. */
  readonly failed = this.#failure.signal

  add(task: () => Promise<void>): void {
    task().catch(error => this.#failure.abort(error))
  }
}
