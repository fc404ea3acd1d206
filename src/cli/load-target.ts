import type { RunOptions } from '../domain/run-options.ts'
import type { LoadTarget } from '../load/messages.ts'
import type { Connection, ConnectOptions } from '../server/connect.ts'
import type { RunFlags } from './flags.ts'

/** What the load threads have to know of a server. */
export function loadTarget(
  { facts, adapter }: Connection,
  flags: Pick<RunFlags, 'endpoint' | 'insecure' | 'extraBody'>,
  options: RunOptions,
  { apiKey, headers, proxy }: Pick<ConnectOptions, 'apiKey' | 'headers' | 'proxy'>,
): LoadTarget {
  const url = new URL(facts.url)
  const prefix = url.pathname.replace(/\/+$/, '')
  return {
    origin: url.origin,
    path: `${prefix}${flags.endpoint === 'chat' ? '/v1/chat/completions' : '/v1/completions'}`,
    endpoint: flags.endpoint,
    openPath: `${prefix}/v1/models`,
    abortPath: adapter.abort === null ? null : `${prefix}${adapter.abort}`,
    headers: { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    insecure: flags.insecure,
    proxy: proxy ?? null,
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
