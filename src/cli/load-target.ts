import type { RunOptions } from '../domain/run-options.ts'
import type { LoadTarget } from '../load/messages.ts'
import type { Connection } from '../server/connect.ts'
import type { RunFlags } from './flags.ts'

/** What the load threads have to know of a server. */
export function loadTarget(
  { facts, adapter }: Connection,
  flags: RunFlags,
  options: RunOptions,
  headers: Readonly<Record<string, string>>,
): LoadTarget {
  const url = new URL(facts.url)
  const prefix = url.pathname.replace(/\/+$/, '')
  return {
    origin: url.origin,
    path: `${prefix}${flags.endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions'}`,
    endpoint: flags.endpoint,
    openPath: `${prefix}/v1/models`,
    abortPath: adapter.abort === null ? null : `${prefix}${adapter.abort}`,
    headers,
    insecure: flags.insecure,
    model: facts.model.id,
    ignoreEos: !options.respectEos,
    temperature: options.temperature,
    extraBody: flags.extraBody,
    stallTimeoutMs: options.stallTimeoutSeconds * 1000,
    firstTokenTimeoutMs,
  }
}

/** A million cold tokens take minutes to read. */
const firstTokenTimeoutMs = 30 * 60 * 1000
