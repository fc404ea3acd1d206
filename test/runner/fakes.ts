import type { LoadTick, Window, WindowCounts } from '../../src/domain/load-record.ts'
import type { RequestTrace } from '../../src/domain/request-trace.ts'
import type { ServerSample } from '../../src/domain/server-sample.ts'
import type { SingleRequest, StreamPlan } from '../../src/domain/step.ts'
import type { Clock, HardwarePort, LoadPort, SamplerPort } from '../../src/runner/ports.ts'
import { gpuSample, sample, share, tick, trace } from '../domain/build.ts'

/** Time that passes only when everything waits for it. */
export class VirtualClock implements Clock {
  #now = 1000
  readonly #timers = new Set<{ readonly at: number; readonly wake: () => void }>()

  now(): number {
    return this.#now
  }

  wallTime(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#now).toISOString()
  }

  onTime(at: number, wake: () => void): () => void {
    const timer = { at, wake }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.onTime(this.#now + ms, resolve))
  }

  get waiting(): number {
    return this.#timers.size
  }

  /** Lets time pass until the work is done; throws when it waits for something that never comes. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    for (await whatIsReady(); !isDone; await whatIsReady()) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0]
      if (next === undefined) throw new Error('the work waits for ever')
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.wake()
    }
    return done
  }
}

/** Everything that needs no time has been done. */
function whatIsReady(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

const tickMs = 200
/** 10 ms for each token of each stream. */
const tokensPerTick = 20

/** Answers every request after 300 ms and streams 100 tok/s a stream. What it was asked for stands in `calls`. */
export class FakeLoad implements LoadPort {
  readonly calls: string[] = []
  running = 0
  failing: { readonly call: string; readonly error: Error } | null = null
  readonly #clock: VirtualClock
  #window: Window | null = null
  #launchedAt = 0
  #stopTicks = () => {}

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  async send(requests: readonly SingleRequest[], atOnce: number): Promise<readonly RequestTrace[]> {
    this.#called(`send ${requests.length} at ${atOnce}`)
    const writtenAt = this.#clock.now()
    await this.#clock.sleep(300)
    return requests.map(({ purpose, prompt }, index) =>
      trace({
        rid: `single-${index}`,
        purpose,
        promptChars: prompt.chars,
        promptTokens: 20 + Math.round(prompt.chars / 4),
        writtenAt,
        firstTokenAt: writtenAt + 300,
        lastTokenAt: writtenAt + 300,
        endedAt: writtenAt + 300,
      }),
    )
  }

  async launch(streams: readonly StreamPlan[], _: number, onTick: (tick: LoadTick) => void): Promise<void> {
    this.#called(`launch ${streams.length}`)
    this.running = streams.length
    this.#launchedAt = this.#clock.now()
    const again = () => {
      const all = { started: this.running, active: this.running }
      onTick(tick({ at: this.#clock.now(), spanMs: tickMs, tokens: tokensPerTick * this.running, ...all }))
      this.#stopTicks = this.#clock.onTime(this.#clock.now() + tickMs, again)
    }
    this.#stopTicks = this.#clock.onTime(this.#clock.now() + tickMs, again)
  }

  openWindow(window: Window): void {
    this.#called('openWindow')
    this.#window = window
  }

  async close(): Promise<{ counts: WindowCounts | null; cutOff: readonly RequestTrace[] }> {
    this.#called('close')
    this.#stopTicks()
    const streams = this.running
    this.running = 0
    await this.#clock.sleep(20)
    const announced = this.#window
    this.#window = null
    if (announced === null || announced.from >= this.#clock.now()) return { counts: null, cutOff: [] }
    const window = { ...announced, to: Math.min(announced.to, this.#clock.now()) }
    return { counts: countsOf(window, streams), cutOff: this.#streamed(window, streams) }
  }

  #streamed(window: Window, streams: number): readonly RequestTrace[] {
    const tokens = Math.floor((window.to - window.from) / 10)
    return Array.from({ length: streams }, (_, stream) =>
      trace({
        rid: `stream-${stream}`,
        purpose: 'launch',
        stream,
        promptTokens: 8192,
        writtenAt: this.#launchedAt,
        firstTokenAt: this.#launchedAt + 80,
        lastTokenAt: window.to,
        endedAt: this.#clock.now(),
        outcome: { kind: 'cut-off' },
        window: share({ firstAt: window.from, lastAt: window.to, chunks: tokens, tokens }),
      }),
    )
  }

  #called(call: string): void {
    this.calls.push(call)
    if (this.failing === null || !call.startsWith(this.failing.call)) return
    this.#stopTicks()
    throw this.failing.error
  }
}

function countsOf(window: Window, streams: number): WindowCounts {
  const slices = Math.ceil((window.to - window.from) / window.sliceMs)
  return {
    window,
    sliceTokens: Array.from({ length: slices }, () => (window.sliceMs / 10) * streams),
    gaps: [[10_000, 100 * streams]],
    binTokens: [],
    gapThirds: [],
    client: { loopDelayP99Ms: 1, loopUtilisation: 0.1, workers: 1 },
  }
}

/** Sees what the load runs. */
export class FakeSampler implements SamplerPort {
  isStopped = false
  readonly paces: number[] = []
  readonly looks: number[] = []
  readonly #clock: VirtualClock
  readonly #running: () => number
  #paceMs = 1000
  #stopTimer = () => {}
  #look = () => {}

  constructor(clock: VirtualClock, running: () => number) {
    this.#clock = clock
    this.#running = running
  }

  start(onSample: (sample: ServerSample) => void): void {
    this.#look = () => {
      onSample(sample({ at: this.#clock.now(), running: this.#running(), queued: 0 }))
      this.#stopTimer = this.#clock.onTime(this.#clock.now() + this.#paceMs, this.#look)
    }
    this.#stopTimer = this.#clock.onTime(this.#clock.now(), this.#look)
  }

  setPace(everyMs: number): void {
    if (everyMs === this.#paceMs) return
    this.paces.push(everyMs)
    this.#paceMs = everyMs
    this.#stopTimer()
    this.#stopTimer = this.#clock.onTime(this.#clock.now() + everyMs, this.#look)
  }

  lookAt(times: readonly number[]): void {
    this.looks.push(...times)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.#stopTimer()
  }
}

/** One GPU at 400 W, looked at once a second. */
export class FakeHardware implements HardwarePort {
  isStopped = false
  readonly #clock: VirtualClock
  #stopTimer = () => {}

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  start(...[onFound, onSample]: Parameters<HardwarePort['start']>): void {
    onFound({ gpus: null, host: { cpu: null, cores: 2, memoryMiB: 24_000, os: 'linux' } })
    const look = () => {
      onSample({ at: this.#clock.now(), gpus: [gpuSample({ powerW: 400 })], host: null })
      this.#stopTimer = this.#clock.onTime(this.#clock.now() + 1000, look)
    }
    this.#stopTimer = this.#clock.onTime(this.#clock.now(), look)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.#stopTimer()
  }
}
