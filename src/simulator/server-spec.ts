import { type Fault, readFault } from './faults.ts'
import { type DialectName, dialects, isDialectName } from './http/dialect.ts'
import type { ServerOptions } from './http/host.ts'
import { atSpeed, type Profile } from './profile.ts'
import { loadProfile } from './profiles.ts'

/** Which server to simulate, and where. */
export type SimulatorOptions = {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined
  /** A name, or the path of a .json file. */
  readonly profile: string
  /** Every duration is divided by it. */
  readonly speed?: number | undefined
  readonly seed?: number | undefined
  readonly apiKey?: string | undefined
  /** Where set, flushing and aborting need it and take no other. */
  readonly adminApiKey?: string | undefined
  /** A name of `dialectNames`; absent: the newest. */
  readonly dialect?: string | undefined
  /** Absent: as the profile says. */
  readonly dataParallelRanks?: number | undefined
  /** Output tokens from one chunk to the next; absent: as the profile says. */
  readonly streamInterval?: number | undefined
  /** Requests that may wait before others get 503; absent: any number. */
  readonly maxQueuedRequests?: number | undefined
  /** With one, the first part of a chat's output is told as thoughts. */
  readonly reasoningParser?: string | undefined
  /** As `knownFaults` writes them: `stall:every=2,afterTokens=10`. */
  readonly faults?: readonly string[] | undefined
}

/** A server with nothing left open: plain data, which a thread can be given. */
export type ServerSpec = {
  readonly port: number
  readonly profile: Profile
  readonly seed: number
  readonly server: ServerOptions
}

/** Versions of SGLang that can be imitated, oldest first. */
export const dialectNames: readonly string[] = Object.keys(dialects)

/** Reads the options. Throws an Error that says what there is, when the profile, the dialect or a fault is unknown. */
export function specOf(options: SimulatorOptions): ServerSpec {
  const profile = loadProfile(options.profile)
  const launch = {
    ...profile.launch,
    dataParallel: options.dataParallelRanks ?? profile.launch.dataParallel,
    streamInterval: options.streamInterval ?? profile.launch.streamInterval,
  }
  return {
    port: options.port ?? 0,
    profile: atSpeed({ ...profile, launch }, options.speed ?? 1),
    seed: options.seed ?? 1,
    server: {
      dialect: dialectOf(options.dialect ?? 'v0.5.20'),
      apiKey: options.apiKey ?? null,
      adminApiKey: options.adminApiKey ?? null,
      maxQueuedRequests: options.maxQueuedRequests ?? null,
      reasoningParser: options.reasoningParser ?? null,
      faults: (options.faults ?? []).map(faultOf),
    },
  }
}

function dialectOf(name: string): DialectName {
  if (isDialectName(name)) return name
  throw new Error(`unknown dialect "${name}"; there are ${dialectNames.join(', ')}`)
}

function faultOf(text: string): Fault {
  const fault = readFault(text)
  if ('problem' in fault) throw new Error(fault.problem)
  return fault
}
