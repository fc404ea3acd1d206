import {
  type Fault,
  isLifeFault,
  isMetricsFault,
  isStreamFault,
  type LifeFault,
  type MetricsFault,
  type StreamFault,
} from '../faults.ts'

type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { readonly kind: Kind }>

/** The faults that are on. Streams that run already keep those they started with. */
export class FaultSet {
  #active: readonly Fault[] = []
  #stream: readonly { readonly fault: StreamFault; seen: number }[] = []
  metrics: readonly MetricsFault[] = []

  /** Replaces all; counts to every K-th begin anew. */
  set(faults: readonly Fault[]): void {
    this.#active = faults
    this.#stream = faults.filter(isStreamFault).map(fault => ({ fault, seen: 0 }))
    this.metrics = faults.filter(isMetricsFault)
  }

  get active(): readonly Fault[] {
    return this.#active
  }

  get life(): readonly LifeFault[] {
    return this.#active.filter(isLifeFault)
  }

  /** The fault of that kind; undefined when it is off. */
  get<Kind extends Fault['kind']>(kind: Kind): FaultOf<Kind> | undefined {
    return this.#active.find((fault): fault is FaultOf<Kind> => fault.kind === kind)
  }

  /** Counts one more generation request; what hits it. */
  drawForRequest(): readonly StreamFault[] {
    return this.#stream
      .filter(one => ++one.seen % ('every' in one.fault ? one.fault.every : 1) === 0)
      .map(({ fault }) => fault)
  }
}
