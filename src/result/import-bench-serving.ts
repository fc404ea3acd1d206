import { z } from 'zod'
import { max, min } from '../domain/statistics.ts'
import type { ForeignFields } from './foreign-fields.ts'
import { importedResult } from './imported-result.ts'
import { loadRunCell } from './load-run-cell.ts'
import type { ResultCell, ResultDocument } from './schema.ts'

// SGLang's bench_serving began as a copy of vLLM's benchmark: most fields of the two are the same.

const vllmBench = 'vllm bench serve'
const sglangBench = 'sglang bench_serving'

/** `vllm bench serve --save-result`, with and without `--save-detailed`. */
export function isVllmBench(document: ForeignFields): boolean {
  return document.has('output_throughput') && document.has('model_id')
}

/** A line of SGLang's `bench_serving` output file, with and without `--output-details`. */
export function isSglangBench(document: ForeignFields): boolean {
  return document.has('output_throughput') && document.has('backend') && !document.has('model_id')
}

export function importVllmBench(fields: ForeignFields): ResultDocument {
  const prompts = fields.look('num_prompts', whole)
  const completed = fields.take('completed', counted)
  const failed = fields.number('failed') ?? (typeof prompts === 'number' ? prompts - completed : null)
  const rate = fields.look('request_rate', z.unknown())
  // All requests at once, and as many streams as requests, when neither rate nor concurrency is limited.
  const concurrency = fields.positive('max_concurrency') ?? (rate === 'inf' ? prompts : null)
  const acceptLength = fields.positive('spec_decode_acceptance_length')
  // Gaps between chunks, whatever a chunk holds: one decode step.
  const stepMs = fields.positive('median_itl_ms')
  return importedResult({
    from: vllmBench,
    version: null,
    name: fields.look('date', words) ?? null,
    model: { id: fields.text('model_id') },
    decode: [cellOf(fields, { completed, failed, concurrency, acceptLength, stepMs })],
    aside: fields.rest(),
  })
}

export function importSglangBench(fields: ForeignFields): ResultDocument {
  const server = fields.object('server_info')
  const completed = fields.take('completed', counted)
  const errors = fields.look('errors', z.array(z.unknown()).nullish())
  const failed = errors?.filter(error => typeof error === 'string' && error !== '').length ?? null
  const concurrency = fields.positive('max_concurrency')
  const acceptLength = fields.positive('accept_length')
  const path = server.text('model_path')
  return importedResult({
    from: sglangBench,
    version: null,
    name: fields.look('tag', words) ?? null,
    // Its gaps are already divided by the tokens of a chunk, for some backends: no step can be told from them.
    decode: [cellOf(fields, { completed, failed, concurrency, acceptLength, stepMs: null })],
    engine: server.has('version') ? { name: 'sglang', version: server.text('version') } : {},
    model: { id: server.text('served_model_name') ?? path, path },
    aside: fields.rest(),
  })
}

const whole = z.number().int().nonnegative().nullish()
const counted = z.number().int().nonnegative()
const words = z.string().nullish()
const lengths = z.array(z.number()).nullish()

type Run = {
  readonly completed: number
  readonly failed: number | null
  readonly concurrency: number | null | undefined
  readonly acceptLength: number | null
  readonly stepMs: number | null
}

function cellOf(fields: ForeignFields, { concurrency, completed, ...run }: Run): ResultCell {
  if (typeof concurrency !== 'number')
    throw fields.refusal('a run without one has no place in a matrix', ['max_concurrency'])
  if (completed === 0) throw fields.refusal('no request came to its end', ['completed'])
  const mean = fields.take('total_input_tokens', z.number().nonnegative()) / completed
  const listed = fields.look('input_lens', lengths) ?? []
  const itlMs = spread(fields, 'tpot', completed)
  return loadRunCell({
    ...run,
    completed,
    concurrency,
    contextTokens: Math.round(mean),
    promptTokens: { mean, min: min(listed), max: max(listed) },
    windowSeconds: fields.positive('duration'),
    outputTokens: fields.number('total_output_tokens'),
    tokensPerSecond: fields.take('output_throughput', z.number().positive()),
    ttftMs: spread(fields, 'ttft', completed),
    itlMs,
    // One request's speed is the inverse of its ITL, so the medians are each other's inverse.
    perRequestTokensPerSecond: { n: completed, p50: itlMs.p50 === null ? null : 1000 / itlMs.p50, p10: null },
  })
}

/** `mean_…_ms`, `median_…_ms`; of the percentiles only those that were asked for are there. */
function spread(fields: ForeignFields, name: string, n: number) {
  const ms = (statistic: string) => fields.positive(`${statistic}_${name}_ms`)
  return { n, mean: ms('mean'), p50: ms('median'), p90: ms('p90'), p99: ms('p99'), max: null }
}
