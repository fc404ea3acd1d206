import { z } from 'zod'
import type { ForeignFields } from './foreign-fields.ts'
import { distinct, importedCell, importedResult } from './imported-result.ts'
import { cellOf } from './llm-inference-bench-cell.ts'
import type { ResultCell, ResultDocument, ResultPrefill } from './schema.ts'

export const llmInferenceBench = 'llm-inference-bench'

/** Whether a document looks like llm-inference-bench JSON, of any version known (0.4 to 0.7). */
export function isLlmInferenceBench(document: ForeignFields): boolean {
  return document.has('metadata') && document.has('results') && document.has('summary_table')
}

/**
 * The decode cells are those of its sustained (or request-count) layer; burst results, which repeat the same cells by
 * another definition, are kept aside. Cells that it left out are told as over capacity where its own rule says so.
 */
export function importLlmInferenceBench(document: ForeignFields): ResultDocument {
  const metadata = document.object('metadata')
  const version = metadata.text('version')
  const timestamp = metadata.look('timestamp', z.string().nullish()) ?? null
  const hasMetrics = metadata.look('metrics_available', flag) ?? true
  const contexts = metadata.take('context_lengths', lengths) ?? []
  const concurrency = metadata.take('concurrency_levels', streams) ?? []
  const maxTokens = metadata.number('max_tokens')
  const kvBudget = metadata.positive('max_total_tokens')
  const log = logged(document.look('event_log', z.array(z.string()).nullish()) ?? [])
  const measured = document.list('results').map(row => cellOf(row, hasMetrics))
  const absent = contexts.flatMap(contextTokens =>
    concurrency
      .filter(c => !measured.some(cell => cell.contextTokens === contextTokens && cell.concurrency === c))
      .map(c => absentCell(contextTokens, c, { maxTokens, kvBudget, maxRunning: log.maxRunning })),
  )
  const server = metadata.text('server')
  return importedResult({
    from: llmInferenceBench,
    version,
    name: timestamp,
    // Written at the end. Its own is local and has no zone: it would mean another moment elsewhere.
    run: { endedAt: z.iso.datetime({ offset: true }).safeParse(timestamp).data ?? null },
    url: server === null || /^https?:/.test(server) ? server : `http://${server}`,
    engine: { name: metadata.text('engine'), version: log.engineVersion },
    model: { id: metadata.text('model') },
    limits: {
      contextTokens: log.contextTokens,
      kvCacheTokens: kvBudget,
      maxRunningRequests: log.maxRunning,
    },
    options: {
      contexts: distinct([...contexts, ...measured.map(cell => cell.contextTokens)]),
      concurrency: distinct([...concurrency, ...measured.map(cell => cell.concurrency)]),
      durationSeconds: metadata.positive('duration_per_test'),
      maxOutputTokens: maxTokens,
      // All streams of its cells send one prompt; our own export says how it was.
      prompts: metadata.take('prompts', promptMode) ?? 'shared',
      temperature: metadata.number('temperature'),
      respectEos: !(metadata.take('ignore_eos', flag) ?? true),
    },
    prefill: document
      .entries('prefill')
      .map(([context, row]) => prefillRow(context, row))
      .sort((a, b) => a.contextTokens - b.contextTokens),
    decode: [...measured, ...absent],
    aside: document.rest(),
  })
}

/** Rows and columns of a matrix: no real one has as many. */
const lengths = z.array(z.number().int().nonnegative()).max(200).nullish()
const streams = z.array(z.number().int().positive()).max(200).nullish()
const flag = z.boolean().nullish()
const promptMode = z.enum(['unique', 'shared']).nullish()

function prefillRow(name: string, row: ForeignFields): ResultPrefill {
  if (!/^\d{1,15}$/.test(name)) throw row.refusal('the name is not a context length')
  const promptTokens = row.positive('prompt_tokens')
  // Older versions lack the client_ fields; the plain ones may be those of a server's counter, and stay aside.
  const own = row.positive('client_ttft_seconds') ?? row.positive('ttft_seconds')
  const ttftMs = own === null ? null : own * 1000
  const isSingle = row.look('samples', z.number().nullish()) === 1
  const isSkipped = row.take('skipped', flag) ?? false
  return {
    contextTokens: Number(name),
    status: isSkipped ? 'skipped' : ttftMs === null ? 'failed' : 'valid',
    limit: null,
    limits: [],
    reasons: [],
    promptTokens,
    ttftMs,
    tokensPerSecond: row.positive('client_tok_per_sec') ?? row.positive('tok_per_sec'),
    netTokensPerSecond: null,
    hostTokenizeMs: null,
    samples: isSingle && ttftMs !== null ? [{ promptTokens, cachedTokens: null, ttftMs }] : [],
  }
}

type Known = {
  readonly maxTokens: number | null
  readonly kvBudget: number | null
  readonly maxRunning: number | null
}

/**
 * A cell that the file lists and has no result of: dropped because the server runs fewer requests, or by the tool's rule
 * concurrency × (context + max tokens) > KV budget (never for context 0); else nobody knows why, and it is `not-run`.
 */
function absentCell(contextTokens: number, concurrency: number, known: Known): ResultCell {
  const { maxTokens, kvBudget, maxRunning } = known
  const needed = maxTokens === null || contextTokens === 0 ? null : concurrency * (contextTokens + maxTokens)
  const limits: ResultCell['limits'] = []
  if (maxRunning !== null && concurrency > maxRunning)
    limits.push({ kind: 'max-running-requests', needed: concurrency, available: maxRunning })
  if (kvBudget !== null && needed !== null && needed > kvBudget)
    limits.push({ kind: 'kv-cache', needed, available: kvBudget })
  const limit = limits[0] ?? null
  return importedCell({
    contextTokens,
    concurrency,
    status: limit === null ? 'not-run' : 'over-capacity',
    limit,
    limits,
  })
}

/** What only the start-up lines of its log tell. The log keeps its last 80 lines: often they are gone. */
function logged(lines: readonly string[]) {
  const find = (pattern: RegExp) =>
    lines.map(line => pattern.exec(line)?.[1]).find(found => found !== undefined) ?? null
  const number = (pattern: RegExp) => {
    const found = find(pattern)
    return found === null ? null : Number(found.replaceAll(',', ''))
  }
  return {
    engineVersion: find(/ startup engine \w+ (\d\S*)/),
    maxRunning: number(/ startup max running requests: (\d[\d,]*)/),
    contextTokens: number(/ startup model context length: (\d[\d,]*) tokens/),
  }
}
