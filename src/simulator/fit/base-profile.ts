import type { Profile } from '../profile.ts'
import type { MeasuredTable } from './measured-table.ts'

/** What is taken where a result does not tell: SGLang's defaults on a large GPU, or a plain guess. */
const defaults = {
  contextTokens: 131_072,
  kvPoolTokens: 1_000_000,
  pageTokens: 1,
  chunkedPrefillTokens: 8192,
  maxPrefillTokens: 16_384,
  maxRunningRequests: 256,
  batchMs: 10,
  acceptLength: 2.5,
  draftTokens: 4,
}
/** A queued cell that ran less than this share of its streams shows the real limit of running requests. */
const queuedShare = 0.93

/** A profile of the server's facts as a table tells them; times are placeholders for the fit. */
export function baseProfile(table: MeasuredTable, name: string): Profile {
  const { server, cells } = table
  const setting = (key: string) => {
    const value = server.settings.get(key)
    return typeof value === 'number' && value > 0 ? value : null
  }
  const pageTokens = server.pageTokens ?? defaults.pageTokens
  const kvPoolTokens = server.kvPoolTokens ?? defaults.kvPoolTokens
  const maxRunningRequests = Math.ceil(
    (server.maxRunningRequests ?? defaults.maxRunningRequests) / server.ranks,
  )
  const algorithm = server.settings.get('speculative_algorithm')
  const tokensPerStep = Math.max(1, ...cells.flatMap(cell => cell.tokensPerStep ?? []))
  const isSpeculative = typeof algorithm === 'string' || tokensPerStep > 1.1
  return {
    name,
    about: {
      source: `Fitted to a measurement of ${table.title}.`,
      published: ['limits that the server told'],
      fitted: ['host, prefill, decode', ...(isSpeculative ? ['acceptance and its residual'] : [])],
      assumed: [
        'prefill.batchMs',
        'jitter',
        'disconnectMs',
        'launch.overlap',
        'limits that the server did not tell',
      ],
    },
    model: {
      path: server.modelPath ?? server.modelId,
      servedName: server.modelId,
      architecture: 'Unknown',
    },
    launch: {
      tensorParallel: setting('tp_size') ?? 1,
      dataParallel: server.ranks,
      loadBalance: 'round-robin',
      overlap: true,
      streamInterval: setting('stream_interval') ?? 1,
    },
    limits: {
      contextTokens: server.contextTokens ?? defaults.contextTokens,
      kvPoolTokens: kvPoolTokens - (kvPoolTokens % pageTokens),
      pageTokens,
      chunkedPrefillTokens: Math.max(
        pageTokens,
        setting('chunked_prefill_size') ?? defaults.chunkedPrefillTokens,
      ),
      maxPrefillTokens: setting('max_prefill_tokens') ?? defaults.maxPrefillTokens,
      maxRunningRequests,
      state: hiddenLimit(table, maxRunningRequests),
    },
    speculative: isSpeculative
      ? {
          algorithm: typeof algorithm === 'string' ? algorithm : 'UNKNOWN',
          draftTokens:
            setting('speculative_num_draft_tokens') ??
            Math.max(defaults.draftTokens, Math.ceil(2 * tokensPerStep)),
          acceptLength: defaults.acceptLength,
          residual: null,
          lag: 0,
        }
      : null,
    host: { tokenizerUs: 1, requestMs: 20, disconnectMs: 1000 },
    prefill: { batchMs: defaults.batchMs, tokenMs: 0.05, pairMs: 0, residual: null },
    decode: { fixedMs: 10, streamMs: 0.5, streamExponent: 1, contextMs: 0 },
    jitter: 0.01,
  }
}

/** Queued cells that ran fewer requests than the server says it may: something else ran out, shown as state slots. */
function hiddenLimit({ cells, server }: MeasuredTable, maxRunning: number): Profile['limits']['state'] {
  const ran = cells.flatMap(({ status, running, concurrency }) =>
    status === 'requests-queued' && running !== null && running < queuedShare * concurrency ? [running] : [],
  )
  if (ran.length === 0) return null
  const total = Math.ceil(Math.max(...ran) / server.ranks - 0.2)
  return total < maxRunning ? { total, reservedPerRequest: 1, heldPerRequest: 1 } : null
}
