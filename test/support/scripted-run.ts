import type { JobTarget, RunEvent, RunFact } from '../../src/domain/events.ts'
import type { LoadTick, Window } from '../../src/domain/load-record.ts'
import { type Plan, planMatrix } from '../../src/domain/plan.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { RunOptions } from '../../src/domain/run-options.ts'
import type { ServerFacts } from '../../src/domain/server-facts.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import { seededRandom } from '../../src/domain/stagger.ts'

export const scriptedOptions: RunOptions = {
  contexts: null,
  concurrency: [1, 2, 4, 8, 16, 32, 64, 128],
  prefillContexts: null,
  phases: 'both',
  prefillSamples: null,
  repeat: 1,
  retryInvalid: false,
  force: false,
  kvBudgetTokens: null,
  durationSeconds: 30,
  maxOutputTokens: 4096,
  prompts: 'unique',
  seed: 1,
  temperature: null,
  respectEos: false,
  readyTimeoutSeconds: null,
  drainTimeoutSeconds: 60,
  endpoint: 'chat',
  extraBody: {},
  stallTimeoutSeconds: 60,
  slo: { ttftMs: null, itlMs: null },
}

export const scriptedServer: ServerFacts = {
  url: 'http://127.0.0.1:30000',
  engine: {
    name: 'sglang',
    version: '0.5.9',
    quantization: null,
    backend: null,
    build: null,
    repository: null,
    commit: null,
  },
  model: { id: 'Qwen/Qwen3.5-35B-A3B', path: null, revision: null },
  limits: {
    contextTokens: 262_144,
    kvCacheTokens: 1_000_000,
    maxRunningRequests: 64,
    pageSize: 1,
    dataParallelRanks: 1,
    draftTokens: 4,
  },
  launch: { command: null, source: null, settings: {} },
  features: {
    metrics: true,
    loads: true,
    realtimeCounters: true,
    continuousUsage: null,
    abort: true,
    tokenize: true,
  },
}

/** Writes the events of a run as a server of made-up but consistent speed would cause them. */
export class RunScript {
  readonly events: RunEvent[] = []
  readonly options: RunOptions
  readonly server: ServerFacts
  readonly plan: Plan
  at = 1000
  private decoded = 0
  private readonly random = seededRandom(7)

  constructor(options: Partial<RunOptions> = {}, server: ServerFacts = scriptedServer) {
    this.options = { ...scriptedOptions, ...options }
    this.server = server
    this.plan = planMatrix(this.options, server.limits)
  }

  tell(fact: RunFact): this {
    this.events.push({ at: this.at, ...fact })
    return this
  }

  wait(ms: number): this {
    this.at += ms
    return this
  }

  begin(): this {
    this.tell({
      kind: 'run-started',
      runId: 'scripted',
      wallTime: '2026-01-01T00:00:00Z',
      command: 'tokgrid run',
      options: this.options,
      promptSet: { version: '1', hash: '0', nonce: '0' },
    })
    this.wait(120).tell({ kind: 'server-connected', server: this.server })
    this.tell({ kind: 'matrix-planned', plan: this.plan })
    this.start({ kind: 'calibrate' })
    return this.wait(900)
      .sample(0, 0)
      .tell({ kind: 'job-ended', outcome: { kind: 'done' } })
  }

  start(target: JobTarget): this {
    this.tell({ kind: 'job-started', target })
    this.wait(200).sample(0, 0).tell({ kind: 'drain-ended', drained: true })
    return this.tell({ kind: 'phase-entered', phase: 'requests' })
  }

  prefill(row: number): this {
    const context = this.plan.prefill[row]?.contextTokens ?? 0
    this.start({ kind: 'prefill', row })
    for (const purpose of ['warm', 'prefill', 'prefill'] as const) {
      const ttft = prefillMs(context)
      this.wait(ttft).sample(1, 0)
      this.tell({ kind: 'requests-ended', traces: [trace(purpose, 0, this.at - ttft, ttft, context)] })
    }
    return this.tell({ kind: 'job-ended', outcome: { kind: 'done' } })
  }

  allPrefill(): this {
    this.plan.prefill.forEach(({ fit }, row) => {
      if (fit.kind !== 'over') this.prefill(row)
    })
    return this
  }

  /** The first cells that fit, to their end. */
  cells(count: number): this {
    for (const index of this.fitting().slice(0, count)) this.launch(index).open().run(30_000).close()
    return this
  }

  /** A cell that the operator skips. */
  skip(index: number): this {
    this.launch(index).tell({ kind: 'asked', ask: 'skip-cell' })
    this.wait(40).tell({ kind: 'streams-closed', counts: null, cutOff: [] })
    return this.tell({ kind: 'job-ended', outcome: { kind: 'skipped' } })
  }

  /** A cell whose requests fail, with a message that holds what a server may put into it. */
  fail(index: number, message: string): this {
    const failure = { kind: 'http-status', status: 503, message } as const
    return this.launch(index).tell({ kind: 'job-ended', outcome: { kind: 'failed', failure } })
  }

  /** A cell measured while the server was busy with other requests. */
  disturb(index: number): this {
    this.tell({ kind: 'job-started', target: { kind: 'cell', cell: index } })
    this.wait(5000).sample(2, 0).tell({ kind: 'drain-ended', drained: false })
    return this.arm(index, 0).open().run(30_000).close()
  }

  fitting(): readonly number[] {
    return this.plan.cells.flatMap(({ fit }, index) => (fit.kind === 'over' ? [] : [index]))
  }

  private current = { context: 0, streams: 0, index: 0, queued: 0, firstTokens: 0 }
  private traces: RequestTrace[] = []
  private sliceTokens: number[] = []
  private window: Window | null = null

  launch(index: number, queued = 0): this {
    return this.start({ kind: 'cell', cell: index }).arm(index, queued)
  }

  private arm(index: number, queued: number): this {
    const { contextTokens: context, concurrency: streams } = this.plan.cells[index] ?? {
      contextTokens: 0,
      concurrency: 1,
    }
    this.current = { context, streams, index, queued, firstTokens: 0 }
    this.traces = []
    this.sliceTokens = []
    this.window = null
    return this.tell({ kind: 'phase-entered', phase: 'launch' }).wait(150)
  }

  /** First tokens of all streams, one tick for each hundred milliseconds. */
  open(): this {
    const { streams } = this.current
    for (let started = 0; started < streams; ) {
      started = Math.min(streams, started + Math.ceil(streams / 4))
      this.wait(100).tick(100, started, started - this.current.firstTokens)
      this.current.firstTokens = started
    }
    this.sample(streams, this.current.queued)
    this.tell({ kind: 'phase-entered', phase: 'settle' })
    this.wait(900)
    this.window = { from: this.at + 100, to: this.at + 30_100, sliceMs: 1000 }
    return this.tell({ kind: 'window-announced', window: this.window }).wait(100)
  }

  /** Time in the window: ticks, samples each second, and one request that is replaced each second. */
  run(ms: number): this {
    const { streams, context } = this.current
    for (let gone = 0; gone < ms; gone += 250) {
      const restarts = gone % 1000 === 0 ? 1 : 0
      const tokens = this.wait(250).tick(250, streams, restarts)
      const slice = Math.floor(gone / 1000)
      this.sliceTokens[slice] = (this.sliceTokens[slice] ?? 0) + tokens
      if (restarts > 0)
        this.traces.push(
          this.shared('steady', this.at - ttftMs(context, streams) * (0.7 + 0.6 * this.random()), this.at),
        )
      if (gone % 1000 === 0) this.sample(streams - this.current.queued, this.current.queued)
    }
    return this
  }

  close(): this {
    if (this.window === null) return this
    const { window } = this
    this.tell({ kind: 'phase-entered', phase: 'close' }).wait(50)
    const itl = 1000 / perStream(this.current.context, this.current.streams)
    const launched = Array.from({ length: this.current.streams }, () =>
      this.shared('launch', window.from - 1500, window.from - 1200),
    )
    this.tell({
      kind: 'streams-closed',
      counts: {
        window,
        sliceTokens: this.sliceTokens,
        gaps: [[Math.round(itl * 1000), 1000]],
        binTokens: [],
        gapThirds: [],
        client: { loopDelayP99Ms: 1, loopUtilisation: 0.1, workers: 1 },
      },
      cutOff: [...launched, ...this.traces],
    })
    return this.wait(10).tell({ kind: 'job-ended', outcome: { kind: 'done' } })
  }

  end(ending: 'completed' | 'stopped' | 'aborted' = 'completed', message: string | null = null): this {
    return this.wait(500).tell({ kind: 'run-ended', ending, wallTime: '2026-01-01T00:20:00Z', message })
  }

  sample(running: number, queued: number): this {
    const { context, streams } = this.current
    const used = running === 0 ? 20_000 : Math.min(990_000, streams * (context + 2048))
    const sample: ServerSample = {
      at: this.at,
      tookMs: 4,
      running,
      queued,
      fresh: true,
      kvUsedTokens: used,
      kvCapacityTokens: 1_000_000,
      kvCacheUsage: used / 1_000_000,
      stateSlotUsage: running / 128,
      realtimeDecodeTokens: this.decoded,
      countsFirstTokens: false,
      realtimePrefillTokens: null,
      realtimeCachedTokens: null,
      generationTokensPerSecond: null,
      retractions: 0,
      acceptLength: 2.84,
      ranks: null,
      missed: [],
    }
    return this.tell({ kind: 'server-sampled', sample })
  }

  private tick(spanMs: number, started: number, firstTokens: number): number {
    const { context, streams } = this.current
    const rate = perStream(context, streams) * started * (0.97 + 0.06 * this.random())
    const tokens = Math.round((rate * spanMs) / 1000)
    this.decoded += tokens
    const ttft = () => ttftMs(context, streams) * (0.8 + 0.5 * this.random())
    const tick: LoadTick = {
      at: this.at,
      spanMs,
      tokens,
      chunks: tokens,
      started,
      active: started,
      waiting: streams - started,
      ttftMs: Array.from({ length: firstTokens }, ttft),
      ended: [],
    }
    this.tell({ kind: 'load-ticked', tick })
    return tokens
  }

  private shared(purpose: 'launch' | 'steady', writtenAt: number, firstTokenAt: number): RequestTrace {
    const { context, streams } = this.current
    const itl = 1000 / perStream(context, streams)
    const firstAt = Math.max(firstTokenAt, this.window?.from ?? 0)
    const lastAt = this.window?.to ?? firstAt
    const tokens = Math.max(1, Math.round((lastAt - firstAt) / itl) + 1)
    return {
      ...trace(purpose, 0, writtenAt, firstTokenAt - writtenAt, context),
      lastTokenAt: lastAt,
      endedAt: lastAt,
      outputTokens: tokens,
      outcome: { kind: 'cut-off' },
      window: {
        firstAt,
        lastAt,
        chunks: tokens,
        tokens,
        firstChunkTokens: 1,
        longestGapMs: 0,
        tokensBefore: 0,
      },
    }
  }
}

function trace(
  purpose: RequestTrace['purpose'],
  stream: number,
  writtenAt: number,
  ttft: number,
  promptTokens: number,
): RequestTrace {
  return {
    rid: `${purpose}-${writtenAt}`,
    purpose,
    stream,
    maxTokens: 4096,
    promptChars: promptTokens * 5,
    writtenAt,
    firstTokenAt: writtenAt + ttft,
    lastTokenAt: writtenAt + ttft,
    endedAt: writtenAt + ttft,
    promptTokens,
    cachedTokens: purpose === 'launch' || purpose === 'steady' ? promptTokens : 0,
    outputTokens: 1,
    counting: 'continuous-usage',
    loop: null,
    outcome: { kind: 'completed' },
    window: null,
  }
}

/** tok/s of one stream: falls with the batch and with the context. */
function perStream(context: number, streams: number): number {
  return 360 / (1 + streams / 14) / (1 + context / 300_000)
}

function ttftMs(context: number, streams: number): number {
  return 60 + context / 300 + streams * 4
}

function prefillMs(context: number): number {
  return 60 + context / 28
}
