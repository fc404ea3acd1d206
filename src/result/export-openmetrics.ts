import { isComparable } from '../domain/comparable.ts'
import type { ResultCell, RunResult } from './schema.ts'

type Figure<Row> = {
  /** Ends in its unit, as OpenMetrics wants it. */
  readonly name: string
  readonly unit: string
  readonly help: string
  readonly of: (row: Row) => number | null | undefined
}

const decodeFigures: readonly Figure<ResultCell>[] = [
  {
    name: 'tokgrid_output_tokens_per_second',
    unit: 'tokens_per_second',
    help: 'Output tokens of all streams that arrived in the window, by its length.',
    of: cell => cell.totalTokensPerSecond?.mean,
  },
  {
    name: 'tokgrid_output_ci95_tokens_per_second',
    unit: 'tokens_per_second',
    help: 'Half-width of the 95 % interval of the output tokens per second.',
    of: cell => cell.totalTokensPerSecond?.ci95,
  },
  {
    name: 'tokgrid_request_tokens_per_second',
    unit: 'tokens_per_second',
    help: 'Median speed of one request while it streams.',
    of: cell => cell.perRequestTokensPerSecond?.p50,
  },
  {
    name: 'tokgrid_decode_steps_per_second',
    unit: 'steps_per_second',
    help: 'Decode steps, by the typical gap between chunks.',
    of: cell => cell.stepsPerSecond,
  },
  {
    name: 'tokgrid_ttft_seconds',
    unit: 'seconds',
    help: 'Median time to the first token.',
    of: cell => seconds(cell.ttftMs?.headline),
  },
  {
    name: 'tokgrid_itl_seconds',
    unit: 'seconds',
    help: 'Median time between tokens.',
    of: cell => seconds(cell.itlMs?.p50),
  },
  {
    name: 'tokgrid_running_requests',
    unit: 'requests',
    help: 'Mean of the requests that the server ran.',
    of: cell => cell.server?.running.mean,
  },
  {
    name: 'tokgrid_queued_requests',
    unit: 'requests',
    help: 'Mean of the requests that waited in the server.',
    of: cell => cell.server?.queued.mean,
  },
  {
    name: 'tokgrid_kv_cache_usage_ratio',
    unit: 'ratio',
    help: 'Mean share of the KV cache in use.',
    of: cell => cell.server?.kvCacheUsage.mean,
  },
]

const prefillFigures: readonly Figure<RunResult['prefill'][number]>[] = [
  {
    name: 'tokgrid_prefill_tokens_per_second',
    unit: 'tokens_per_second',
    help: 'Prompt tokens by the time to the first token of a cold prompt, one stream.',
    of: row => row.tokensPerSecond,
  },
  {
    name: 'tokgrid_prefill_ttft_seconds',
    unit: 'seconds',
    help: 'Median time to the first token of a cold prompt, one stream.',
    of: row => seconds(row.ttftMs),
  },
]

/**
 * The result as OpenMetrics text that is Prometheus text, too: all are gauges, since Prometheus' text-file collector
 * refuses a file with the type `info`. Cells that must not be compared have a status and no figures; an unknown figure
 * is no sample.
 */
export function toOpenMetrics(result: RunResult): string {
  const { run, server, tool, prefill, decode } = result
  const base = { run_id: run.id, model: server.model.id ?? '', engine: server.engine.name ?? '' }
  const places = decode.map(cell => ({
    cell,
    labels: { ...base, context_tokens: String(cell.contextTokens), concurrency: String(cell.concurrency) },
  }))
  const comparable = places.filter(({ cell }) => isComparable(cell))
  const rows = prefill
    .filter(isComparable)
    .map(row => ({ row, labels: { ...base, context_tokens: String(row.contextTokens) } }))
  const about = {
    ...base,
    tool: tool.name,
    tool_version: tool.version ?? '',
    engine_version: server.engine.version ?? '',
    started_at: run.startedAt ?? '',
  }
  return [
    ...family('tokgrid_run_info', null, 'What was measured, and by what.', [
      sample('tokgrid_run_info', about, 1),
    ]),
    ...family(
      'tokgrid_cell_info',
      null,
      'What became of each cell.',
      places.map(({ cell, labels }) => sample('tokgrid_cell_info', { ...labels, status: cell.status }, 1)),
    ),
    ...decodeFigures.flatMap(({ name, unit, help, of }) =>
      family(
        name,
        unit,
        help,
        comparable.flatMap(({ cell, labels }) => known(name, labels, of(cell))),
      ),
    ),
    ...prefillFigures.flatMap(({ name, unit, help, of }) =>
      family(
        name,
        unit,
        help,
        rows.flatMap(({ row, labels }) => known(name, labels, of(row))),
      ),
    ),
    '# EOF\n',
  ].join('\n')
}

type Labels = Readonly<Record<string, string>>

/** A metric with its samples; nothing when it has none. */
function family(
  name: string,
  unit: string | null,
  help: string,
  samples: readonly string[],
): readonly string[] {
  if (samples.length === 0) return []
  return [
    `# TYPE ${name} gauge`,
    ...(unit === null ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escapeText(help)}`,
    ...samples,
  ]
}

function known(name: string, labels: Labels, value: number | null | undefined): string[] {
  return typeof value === 'number' ? [sample(name, labels, value)] : []
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeText(text)}"`)
  return `${name}{${pairs.join(',')}} ${value}`
}

function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Control}/gu, ' ')
}

function seconds(ms: number | null | undefined): number | null {
  return typeof ms === 'number' ? ms / 1000 : null
}
