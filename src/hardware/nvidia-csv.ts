import type { GpuFacts, GpuSample, ThrottleReason } from '../domain/hardware-sample.ts'

/** One way to ask `nvidia-smi`: its fields in the order of the columns, and how it repeats itself. */
export type NvidiaQuery = { readonly fields: readonly NvidiaField[]; readonly loop: string }

export type NvidiaField = (typeof knownFields)[number]

/** One GPU in one round. */
export type NvidiaRow = {
  /** GPUs of a round. */
  readonly count: number | null
  readonly facts: GpuFacts
  readonly sample: GpuSample
}

const knownFields = [
  'index',
  'count',
  'name',
  'memory.total',
  'memory.used',
  'utilization.gpu',
  'temperature.gpu',
  'power.draw',
  'driver_version',
  'enforced.power.limit',
  'clocks.current.sm',
  'clocks_event_reasons.active',
  'clocks_throttle_reasons.active',
] as const

const common = knownFields.slice(0, 11)

/**
 * From the newest drivers to the oldest: one unknown field makes `nvidia-smi` refuse the whole query, and the reasons
 * were renamed with driver 535. The last asks for what all have had for ten years, by the oldest kind of loop.
 */
export const nvidiaQueries: readonly [NvidiaQuery, ...NvidiaQuery[]] = [
  { fields: [...common, 'clocks_event_reasons.active'], loop: '--loop-ms=500' },
  { fields: [...common, 'clocks_throttle_reasons.active'], loop: '--loop-ms=500' },
  { fields: common.slice(0, 8), loop: '--loop=1' },
]

/** Reads a line of `--format=csv,noheader,nounits`; `null`: it is no row of this query, such as an error message. */
export function parseNvidiaRow(line: string, fields: readonly NvidiaField[]): NvidiaRow | null {
  const cells = line.split(',').map(cell => cell.trim())
  if (cells.length !== fields.length) return null
  const text = (field: NvidiaField) => toldText(cells[fields.indexOf(field)])
  const value = (field: NvidiaField) => toldNumber(cells[fields.indexOf(field)])
  const index = value('index')
  if (index === null) return null
  const utilisation = value('utilization.gpu')
  const mask = text('clocks_event_reasons.active') ?? text('clocks_throttle_reasons.active')
  return {
    count: value('count'),
    facts: {
      index,
      name: text('name') ?? 'NVIDIA GPU',
      memoryMiB: value('memory.total'),
      driver: text('driver_version'),
      powerLimitW: value('enforced.power.limit'),
      migInstances: [],
    },
    sample: {
      index,
      utilisation: utilisation === null ? null : utilisation / 100,
      memoryUsedMiB: value('memory.used'),
      powerW: value('power.draw'),
      temperatureC: value('temperature.gpu'),
      clockMHz: value('clocks.current.sm'),
      throttle: throttleReasons(mask),
    },
  }
}

/** Profiles of the MIG instances for each GPU's index, from `nvidia-smi -L`. */
export function parseMigInstances(listing: string): ReadonlyMap<number, readonly string[]> {
  const instances = new Map<number, string[]>()
  let gpu: string[] = []
  for (const line of listing.split('\n')) {
    const index = /^GPU (\d+):/.exec(line)?.[1]
    if (index !== undefined) {
      gpu = []
      instances.set(Number(index), gpu)
    }
    const profile = /^\s+MIG (\S+)\s+Device/.exec(line)?.[1]
    if (profile !== undefined) gpu.push(profile)
  }
  return instances
}

/** `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `[GPU is lost]`, `[Requested functionality has been deprecated]`, `ERR!`. */
function toldText(cell: string | undefined): string | null {
  return cell === undefined || cell === '' || /^\[.*\]$|^N\/A$|^ERR!$/.test(cell) ? null : cell
}

function toldNumber(cell: string | undefined): number | null {
  const text = toldText(cell)
  const value = Number(text)
  return text === null || !Number.isFinite(value) ? null : value
}

/** Bits of `nvmlClocksEventReasons`; an idle GPU (1) and the clocks of a display (256) are not held down. */
const reasonBits: readonly (readonly [bit: number, reason: ThrottleReason])[] = [
  [0x02, 'clock-setting'],
  [0x04, 'power-cap'],
  [0x08, 'hardware-slowdown'],
  [0x10, 'sync-boost'],
  [0x20, 'thermal'],
  [0x40, 'hardware-thermal'],
  [0x80, 'power-brake'],
]
const toldApart: readonly ThrottleReason[] = ['hardware-thermal', 'power-brake']

/** A slowdown by the hardware is told twice where its cause is known; the cause is enough. */
function throttleReasons(mask: string | null): readonly ThrottleReason[] | null {
  const bits = mask === null ? Number.NaN : Number(mask)
  if (!Number.isSafeInteger(bits)) return null
  const reasons = reasonBits.filter(([bit]) => (bits & bit) !== 0).map(([, reason]) => reason)
  const isCauseTold = toldApart.some(cause => reasons.includes(cause))
  return isCauseTold ? reasons.filter(reason => reason !== 'hardware-slowdown') : reasons
}
