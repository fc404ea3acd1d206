import { z } from 'zod'
import type { ForeignFields } from './foreign-fields.ts'
import { importedResult } from './imported-result.ts'
import { loadRunCell } from './load-run-cell.ts'
import type { ResultDocument } from './schema.ts'

export const aiperf = 'aiperf'

/** AIPerf's `profile_export_aiperf.json`, schema 1.0 to 1.5. */
export function isAiperf(document: ForeignFields): boolean {
  return document.has('input_config') && document.has('output_token_throughput')
}

/** One run at one concurrency; a run by rate or by a trace has no place in a matrix and is refused. */
export function importAiperf(fields: ForeignFields): ResultDocument {
  const { concurrency, command, model, url, seed } = configOf(fields)
  if (concurrency === null)
    throw fields.refusal('no concurrency: such a run has no place in a matrix', ['input_config'])
  const completed = Math.round(metric(fields, 'request_count', requests)?.avg ?? 0)
  if (completed === 0) throw fields.refusal('no request came to its end', ['request_count'])
  const failed = metric(fields, 'error_request_count', requests)
  const prompt = metric(fields, 'input_sequence_length', tokens)
  if (typeof prompt?.avg !== 'number')
    throw fields.refusal('expected a number', ['input_sequence_length', 'avg'])
  const total = metric(fields, 'output_token_throughput', rates)?.avg
  if (!total) throw fields.refusal('expected a number above 0', ['output_token_throughput', 'avg'])
  const perRequest = metric(fields, 'output_token_throughput_per_user', rates)
  const output = metric(fields, 'total_osl', tokens) ?? metric(fields, 'total_output_tokens', tokens)
  const durationMs = metric(fields, 'benchmark_duration', inMilliseconds)?.avg
  const version = fields.text('aiperf_version')
  return importedResult({
    from: aiperf,
    version,
    name: fields.text('benchmark_id'),
    run: {
      startedAt: withZone(fields, 'start_time'),
      endedAt: withZone(fields, 'end_time'),
      ending: fields.take('was_cancelled', z.boolean().nullish()) ? 'stopped' : 'completed',
      command,
    },
    url,
    model: { id: model },
    options: { seed },
    decode: [
      loadRunCell({
        contextTokens: Math.round(prompt.avg),
        concurrency,
        completed,
        // Left out when there was none.
        failed: Math.round(failed?.avg ?? 0),
        promptTokens: { mean: prompt.avg, min: prompt.min, max: prompt.max },
        windowSeconds: durationMs ? durationMs / 1000 : null,
        outputTokens: output?.avg ?? null,
        tokensPerSecond: total,
        perRequestTokensPerSecond:
          perRequest === null
            ? null
            : { n: perRequest.count ?? completed, p50: perRequest.p50, p10: perRequest.p10 },
        ttftMs: spread(metric(fields, 'time_to_first_token', inMilliseconds), completed),
        itlMs: spread(metric(fields, 'inter_token_latency', inMilliseconds), completed),
        stepMs: null,
        acceptLength: null,
      }),
    ],
    aside: fields.rest(),
  })
}

/** What a unit has to be multiplied by. The unit stands in the file and decides. */
type Units = Readonly<Record<string, number>>
const inMilliseconds: Units = { ms: 1, sec: 1000, s: 1000, us: 1e-3, ns: 1e-6 }
const requests: Units = { requests: 1 }
const tokens: Units = { tokens: 1 }
const rates: Units = { 'tokens/sec': 1, 'tokens/sec/user': 1 }

const statistic = z.number().nullish()
const metricBlock = z
  .object({
    unit: z.string(),
    count: statistic,
    avg: statistic,
    min: statistic,
    max: statistic,
    p10: statistic,
    p50: statistic,
    p90: statistic,
    p99: statistic,
  })
  .nullish()

type Metric = ReturnType<typeof metric>

/** A metric in our unit; absent is `null`, as are its values below zero. */
function metric(fields: ForeignFields, name: string, units: Units) {
  const block = fields.take(name, metricBlock)
  if (block === null || block === undefined) return null
  const factor = units[block.unit]
  if (factor === undefined) throw fields.refusal(`"${block.unit}" is not known`, [name, 'unit'])
  const scaled = (value: number | null | undefined) =>
    typeof value === 'number' && value >= 0 ? value * factor : null
  return {
    count: block.count ?? null,
    avg: scaled(block.avg),
    min: scaled(block.min),
    max: scaled(block.max),
    p10: scaled(block.p10),
    p50: scaled(block.p50),
    p90: scaled(block.p90),
    p99: scaled(block.p99),
  }
}

function spread(found: Metric, completed: number) {
  return {
    n: found === null ? 0 : (found.count ?? completed),
    mean: found?.avg ?? null,
    p50: found?.p50 ?? null,
    p90: found?.p90 ?? null,
    p99: found?.p99 ?? null,
    max: found?.max ?? null,
  }
}

const text = z.string().nullish()
const texts = z.array(z.string()).nullish()
const phases = z.array(z.looseObject({ name: text, concurrency: z.unknown() })).nullish()
const stream = z.number().int().positive()

/** The settings of the run: `loadgen` up to schema 1.0, `phases` from then on. */
function configOf(fields: ForeignFields) {
  const config = fields.object('input_config')
  const endpoint = config.object('endpoint')
  const phase = config.look('phases', phases)?.find(({ name }) => name !== 'warmup')
  const info = fields.object('run_info')
  const concurrency = phase?.concurrency ?? config.object('loadgen').look('concurrency', z.unknown())
  return {
    concurrency: stream.safeParse(concurrency).data ?? null,
    model:
      endpoint.look('model_names', texts)?.[0] ??
      config.object('models').look('items', z.array(z.looseObject({ name: text })).nullish())?.[0]?.name ??
      null,
    url: endpoint.look('url', text) ?? endpoint.look('urls', texts)?.[0] ?? null,
    command:
      info.look('cli_command', text) ??
      config.look('cli_command', text) ??
      config.object('artifacts').look('cli_command', text) ??
      null,
    seed: info.look('random_seed', z.number().nullish()) ?? null,
  }
}

/** A time as it stands, when it has a zone: without one it would mean another moment elsewhere, and stays aside. */
function withZone(fields: ForeignFields, name: string): string | null {
  const time = fields.look(name, text)
  return z.iso.datetime({ offset: true }).safeParse(time).data ?? null
}
