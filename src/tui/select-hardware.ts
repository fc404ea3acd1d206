import type { GpuFacts, GpuSample, ThrottleReason } from '../domain/hardware-sample.ts'
import type { RunState } from '../domain/run-state.ts'
import { known, max, mean, sum } from '../domain/statistics.ts'

/** The machine that the server runs on as it was last seen; `null`: nobody looks at it. */
export type HardwareView = {
  readonly gpus: readonly DeviceView[]
  /** Kinds of GPUs with their number, in the order in which they come. */
  readonly kinds: readonly { readonly name: string; readonly count: number }[]
  /** What holds the clock of any GPU down. */
  readonly throttle: readonly ThrottleReason[]
  readonly host: DeviceView
  /** Age of the last look at the GPUs in seconds when it is too old to speak of now. */
  readonly staleSeconds: number | null
}

/** A GPU, several of them, or the host with its CPU; what it does not have is unknown. */
export type DeviceView = {
  readonly label: string
  readonly utilisation: number | null
  readonly memoryUsedMiB: number | null
  readonly memoryMiB: number | null
  readonly powerW: number | null
  readonly powerLimitW: number | null
  readonly temperatureC: number | null
  readonly clockMHz: number | null
  readonly throttle: readonly ThrottleReason[] | null
  readonly migInstances: readonly string[]
}

/** The slowest way to look at GPUs takes a look every two seconds. */
const staleMs = 6000

export function selectHardware(state: RunState, now: number): HardwareView | null {
  const { hardware, hardwareSamples } = state
  if (hardware === null) return null
  const look = hardwareSamples.findLast(({ gpus }) => gpus !== null)
  const host = hardwareSamples.findLast(sample => sample.host !== null)?.host ?? null
  const facts = hardware.gpus ?? []
  const gpus = facts.map(gpu => device(gpu, look?.gpus?.find(({ index }) => index === gpu.index) ?? null))
  return {
    gpus,
    kinds: [...new Set(facts.map(({ name }) => name))].map(name => ({
      name,
      count: facts.filter(gpu => gpu.name === name).length,
    })),
    throttle: [...new Set(gpus.flatMap(({ throttle }) => throttle ?? []))],
    host: {
      ...nothing,
      label: 'host',
      utilisation: host?.cpuUtilisation ?? null,
      memoryUsedMiB: host?.memoryUsedMiB ?? null,
      memoryMiB: hardware.host.memoryMiB,
    },
    staleSeconds: look !== undefined && now - look.at > staleMs ? (now - look.at) / 1000 : null,
  }
}

/** Several GPUs as one; a sum is unknown when one of its parts is. */
export function together(label: string, gpus: readonly DeviceView[]): DeviceView {
  const total = (figure: (gpu: DeviceView) => number | null) => {
    const told = known(gpus.map(figure))
    return told.length === gpus.length ? sum(told) : null
  }
  return {
    label,
    utilisation: mean(known(gpus.map(gpu => gpu.utilisation))),
    memoryUsedMiB: total(gpu => gpu.memoryUsedMiB),
    memoryMiB: total(gpu => gpu.memoryMiB),
    powerW: total(gpu => gpu.powerW),
    powerLimitW: total(gpu => gpu.powerLimitW),
    temperatureC: max(known(gpus.map(gpu => gpu.temperatureC))),
    clockMHz: mean(known(gpus.map(gpu => gpu.clockMHz))),
    throttle: [...new Set(gpus.flatMap(({ throttle }) => throttle ?? []))],
    migInstances: gpus.flatMap(({ migInstances }) => migInstances),
  }
}

const nothing: DeviceView = {
  label: '',
  utilisation: null,
  memoryUsedMiB: null,
  memoryMiB: null,
  powerW: null,
  powerLimitW: null,
  temperatureC: null,
  clockMHz: null,
  throttle: null,
  migInstances: [],
}

function device(
  { index, memoryMiB, powerLimitW, migInstances }: GpuFacts,
  sample: GpuSample | null,
): DeviceView {
  return { ...nothing, ...sample, label: `GPU ${index}`, memoryMiB, powerLimitW, migInstances }
}
