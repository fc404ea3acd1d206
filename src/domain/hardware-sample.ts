/** What the machine is; `null`: not told. Replaces what was found of it before. */
export type HardwareFacts = {
  /** `null`: nothing on the machine tells of its GPUs. */
  readonly gpus: readonly GpuFacts[] | null
  readonly host: HostFacts
}

/** One GPU; `null`: not told. */
export type GpuFacts = {
  readonly index: number
  readonly name: string
  readonly memoryMiB: number | null
  readonly driver: string | null
  readonly powerLimitW: number | null
  /** Profiles of its MIG instances, such as `3g.71gb`; empty: the GPU is whole. */
  readonly migInstances: readonly string[]
}

/** The machine beside its GPUs. */
export type HostFacts = {
  readonly cpu: string | null
  readonly cores: number
  readonly memoryMiB: number
  readonly os: string
}

/** One look at the machine. The GPUs and the host are looked at apart: `null` is what this look left out. */
export type HardwareSample = {
  /** When it was told, ms on the run's clock. */
  readonly at: number
  readonly gpus: readonly GpuSample[] | null
  readonly host: HostSample | null
}

/** `null`: not told, which a GPU cut into MIG instances does for several of these. */
export type GpuSample = {
  readonly index: number
  /** 0..1 of the time in which something ran on it. */
  readonly utilisation: number | null
  readonly memoryUsedMiB: number | null
  readonly powerW: number | null
  readonly temperatureC: number | null
  /** Of its multiprocessors. */
  readonly clockMHz: number | null
  /** What holds the clock down; empty: nothing does. */
  readonly throttle: readonly ThrottleReason[] | null
}

/** Why a GPU runs slower than it could, in words that fit every vendor. */
export type ThrottleReason =
  /** At its power limit. */
  | 'power-cap'
  | 'thermal'
  /** So hot that the hardware halves the clock, or more. */
  | 'hardware-thermal'
  /** The power supply calls for less. */
  | 'power-brake'
  /** The hardware halves the clock, or more, for a reason that it does not tell. */
  | 'hardware-slowdown'
  /** Held at the clock of the slowest of its group. */
  | 'sync-boost'
  /** Held at a clock that someone set. */
  | 'clock-setting'
  | 'unspecified'

/** The machine beside its GPUs, at one look. */
export type HostSample = {
  /** 0..1 of all cores since the last look. */
  readonly cpuUtilisation: number | null
  readonly memoryUsedMiB: number
}
