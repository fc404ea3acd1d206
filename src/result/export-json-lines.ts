import type { RunResult } from './schema.ts'

/** One line for each prefill row and decode cell, each with what identifies its run: made to be read by tools for tables. */
export function toJsonLines({ run, tool, server, hardware, prefill, decode }: RunResult): string {
  const about = {
    runId: run.id,
    startedAt: run.startedAt,
    tool: tool.name,
    toolVersion: tool.version,
    engine: server.engine.name,
    engineVersion: server.engine.version,
    model: server.model.id,
    gpus: hardware.gpus?.map(gpu => gpu.name) ?? null,
  }
  const lines = [
    ...prefill.map(row => ({ phase: 'prefill', ...about, ...row })),
    ...decode.map(cell => ({ phase: 'decode', ...about, ...cell })),
  ]
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}
