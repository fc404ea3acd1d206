import { cpus, platform, totalmem } from 'node:os'
import type { Surroundings } from '../result/build-result.ts'
import type { CliContext } from './context.ts'

/** The machine that the load comes from is the server's only when the server is on it. */
export function describeSurroundings(url: string, { version }: CliContext): Surroundings {
  const isLocal = /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname)
  const host = {
    cpu: cpus()[0]?.model ?? null,
    cores: cpus().length,
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    os: platform(),
  }
  return {
    tool: { name: 'tokgrid', version, node: process.versions.node },
    hardware: { gpus: null, host: isLocal ? host : null },
  }
}
