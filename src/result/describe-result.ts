import type { RunResult } from './schema.ts'

/** What the operator says of the server and the run; `null`: nothing. */
export type Description = {
  readonly engine: Readonly<
    Record<'version' | 'quantization' | 'backend' | 'build' | 'commit', string | null>
  >
  readonly model: Readonly<Record<'path' | 'revision', string | null>>
  /** Secrets are already removed. */
  readonly launchCommand: string | null
  readonly gpus: readonly { readonly name: string; readonly memoryMiB: number | null }[] | null
  readonly os: string | null
  readonly notes: Readonly<Record<string, string>>
}

/** The result with the operator's word in place of what was found; `described` keeps what that was. */
export function describeResult(result: RunResult, description: Description): RunResult {
  const { server, hardware, run } = result
  const engine = overrule('server.engine', server.engine, description.engine)
  const model = overrule('server.model', server.model, description.model)
  const { launchCommand, gpus, os, notes } = description
  return {
    ...result,
    run: { ...run, notes: { ...run.notes, ...notes } },
    server: {
      ...server,
      engine: engine.told,
      model: model.told,
      launch:
        launchCommand === null ? server.launch : { ...server.launch, command: launchCommand, source: 'flag' },
    },
    hardware: {
      ...hardware,
      gpus: gpus === null ? hardware.gpus : gpus.map(gpu => ({ ...gpu, driver: null })),
      host: os === null ? hardware.host : { ...(hardware.host ?? unknownHost), os },
    },
    described: {
      ...engine.found,
      ...model.found,
      ...(launchCommand === null ? {} : { 'server.launch.command': server.launch.command }),
      ...(gpus === null
        ? {}
        : { 'hardware.gpus': hardware.gpus?.map(({ name }) => name).join(', ') ?? null }),
      ...(os === null ? {} : { 'hardware.host.os': hardware.host?.os ?? null }),
    },
  }
}

const unknownHost = { cpu: null, cores: null, memoryMiB: null }

function overrule<T extends object>(
  path: string,
  told: T,
  said: Readonly<Record<string, string | null>>,
): { told: T; found: Record<string, string | null> } {
  const words = Object.entries(said).filter(([, word]) => word !== null)
  const before = new Map(Object.entries(told))
  return {
    told: { ...told, ...Object.fromEntries(words) },
    found: Object.fromEntries(words.map(([name]) => [`${path}.${name}`, before.get(name) ?? null])),
  }
}
