import { z } from 'zod'
import type { GpuFacts, GpuSample, ThrottleReason } from '../domain/hardware-sample.ts'

/** The GPUs as one answer tells them. */
export type AmdAnswer = { readonly facts: readonly GpuFacts[]; readonly samples: readonly GpuSample[] }

/** `12`, `{"value": 12, "unit": "W"}`; anything else, such as "N/A", is unknown. */
const quantity = z
  .union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)])
  .nullable()
  .catch(null)
const text = z
  .string()
  .transform(value => (value === 'N/A' || value === '' ? null : value))
  .nullable()
  .catch(null)

/** An object with these fields; where "N/A" stands for all of it, each is unknown. */
function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(value => (typeof value === 'object' && value !== null ? value : {}), z.object(shape))
}

/** A list with ROCm 6, in `gpu_data` since ROCm 7. */
function gpuList<Shape extends z.ZodRawShape>(shape: Shape) {
  const list = z.array(z.object({ gpu: z.number(), ...shape }))
  return z.union([list, z.object({ gpu_data: list }).transform(({ gpu_data }) => gpu_data)])
}

const metrics = gpuList({
  usage: part({ gfx_activity: quantity }),
  power: part({ socket_power: quantity, throttle_status: text }),
  clock: part({ gfx_0: part({ clk: quantity }) }),
  temperature: part({ edge: quantity, hotspot: quantity }),
  mem_usage: part({ used_vram: quantity, total_vram: quantity }),
})

const statics = gpuList({
  asic: part({ market_name: text }),
  driver: part({ version: text }),
  limit: part({ socket_power: quantity, ppt0: part({ socket_power_limit: quantity }) }),
  vram: part({ size: quantity }),
})

/** Reads `amd-smi metric --json`; `null`: it is something else. The second partition of a GPU tells "N/A" for all. */
export function parseAmdMetrics(json: string): readonly GpuSample[] | null {
  const told = parsed(metrics, json)
  return (
    told?.map(({ gpu, usage, power, clock, temperature, mem_usage }) => ({
      index: gpu,
      utilisation: share(usage.gfx_activity),
      memoryUsedMiB: mem_usage.used_vram,
      powerW: power.socket_power,
      temperatureC: temperature.hotspot ?? temperature.edge,
      clockMHz: clock.gfx_0.clk,
      throttle: throttle(power.throttle_status),
    })) ?? null
  )
}

/** Reads `amd-smi static --json`; `null`: it is something else. */
export function parseAmdStatic(json: string): readonly GpuFacts[] | null {
  const told = parsed(statics, json)
  return (
    told?.map(({ gpu, asic, driver, limit, vram }) => ({
      index: gpu,
      name: asic.market_name ?? 'AMD GPU',
      memoryMiB: vram.size,
      driver: driver.version,
      powerLimitW: limit.socket_power ?? limit.ppt0.socket_power_limit,
      migInstances: [],
    })) ?? null
  )
}

const card = z.record(z.string(), z.string())

/** Reads `rocm-smi --json`, whose names change with its version; `null`: it is something else. */
export function parseRocm(json: string): AmdAnswer | null {
  const told = parsed(z.record(z.string(), card.catch({})), json)
  if (told === null) return null
  const cards = Object.entries(told).flatMap(([name, fields]) => {
    const index = /^card(\d+)$/.exec(name)?.[1]
    if (index === undefined) return []
    const value = (pattern: RegExp) => number(fields, pattern)
    const used = value(/^VRAM Total Used Memory \(B\)$/i)
    const facts: GpuFacts = {
      index: Number(index),
      name: word(fields, /^(Card Series|Device Name)$/i) ?? 'AMD GPU',
      memoryMiB: mebibytes(value(/^VRAM Total Memory \(B\)$/i)),
      driver: word(told.system ?? {}, /^Driver version$/i),
      powerLimitW: value(/^Max Graphics Package Power \(W\)$/i),
      migInstances: [],
    }
    const sample: GpuSample = {
      index: Number(index),
      utilisation: share(value(/^GPU use \(%\)$/i)),
      memoryUsedMiB: mebibytes(used),
      powerW: value(/^(Average|Current Socket) Graphics Package Power \(W\)$/i),
      temperatureC:
        value(/^Temperature \(Sensor junction\) \(C\)$/i) ?? value(/^Temperature \(Sensor edge\) \(C\)$/i),
      clockMHz: value(/^sclk clock speed:?$/i),
      throttle: null,
    }
    return [{ facts, sample }]
  })
  return { facts: cards.map(({ facts }) => facts), samples: cards.map(({ sample }) => sample) }
}

type Fields = Readonly<Record<string, string>>

function word(fields: Fields, pattern: RegExp): string | null {
  const value = Object.entries(fields).find(([name]) => pattern.test(name))?.[1]
  return value === undefined || value === '' || value.startsWith('N/A') ? null : value
}

/** `42`, `19.0`, `(800Mhz)`. */
function number(fields: Fields, pattern: RegExp): number | null {
  const digits = /^\(?(\d+(?:\.\d+)?)/.exec(word(fields, pattern) ?? '')?.[1]
  return digits === undefined ? null : Number(digits)
}

function parsed<Schema extends z.ZodType>(schema: Schema, json: string): z.infer<Schema> | null {
  try {
    return schema.parse(JSON.parse(json))
  } catch {
    return null
  }
}

/** Only whether, not why. */
function throttle(status: string | null): readonly ThrottleReason[] | null {
  if (status === null) return null
  return status === 'UNTHROTTLED' ? [] : ['unspecified']
}

function share(percent: number | null): number | null {
  return percent === null ? null : percent / 100
}

function mebibytes(bytes: number | null): number | null {
  return bytes === null ? null : Math.round(bytes / 2 ** 20)
}
