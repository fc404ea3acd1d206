import type { Limit } from '../domain/capacity.ts'
import type { CellSummary } from '../domain/cell-summary.ts'
import { endJob } from '../domain/end-job.ts'
import { hostTokenizeMs } from '../domain/host-tokenize.ts'
import type { PlannedCell } from '../domain/plan.ts'
import { netPrefillRate } from '../domain/prefill-row.ts'
import type { CellState, PrefillState, Progress, RunState } from '../domain/run-state.ts'
import { scalingEfficiency } from '../domain/scaling.ts'
import type { CellStatus } from '../domain/verdict.ts'
import { type ResultCell, type ResultPrefill, type RunResult, schemaVersion } from './schema.ts'

/** What the run's own events do not tell. */
export type Surroundings = {
  readonly tool: { readonly name: string; readonly version: string; readonly node: string }
  readonly hardware: RunResult['hardware']
}

/**
 * The result document of a run at any time; `null` before the server is known. Unfinished cells are `not-run`; of the
 * work in progress it tells what it would if the run were interrupted now.
 */
export function buildResult(latest: RunState, { tool, hardware }: Surroundings): RunResult | null {
  const state = latest.job === null ? latest : endJob(latest, { kind: 'interrupted' })
  const { run, server } = state
  if (run === null || server === null) return null
  const { contexts, concurrency, ...options } = run.options
  return {
    schema: 'tokgrid/result',
    schemaVersion,
    tool,
    run: {
      id: run.id,
      startedAt: run.wallTime,
      endedAt: state.ending?.wallTime ?? null,
      ending: state.ending?.kind ?? 'running',
      message: state.ending?.message ?? null,
      command: run.command,
      promptSet: run.promptSet,
      options: {
        ...options,
        contexts:
          contexts === null ? distinct(state.cells.map(cell => cell.plan.contextTokens)) : [...contexts],
        concurrency: [...concurrency],
      },
    },
    server: { ...server, launch: { ...server.launch, settings: { ...server.launch.settings } } },
    hardware,
    prefill: state.prefill.map(row => prefillRow(row, state.cells)),
    decode: state.cells.map(cell => decodeCell(cell, state.cells)),
  }
}

function decodeCell(cell: CellState, cells: readonly CellState[]): ResultCell {
  const { plan, status, reasons, summary, partial } = cell
  return {
    contextTokens: plan.contextTokens,
    concurrency: plan.concurrency,
    status: finalStatus(status),
    ...limitsOf(plan.fit),
    reasons: reasons.map(reason => ({ ...reason })),
    ...figures(summary),
    scalingEfficiency: scalingEfficiency(cell, cells),
    partial: partial === null ? null : figures(partial),
  }
}

function prefillRow(
  { plan, status, reasons, summary }: PrefillState,
  cells: readonly CellState[],
): ResultPrefill {
  const single = cells.find(
    cell =>
      cell.plan.contextTokens === plan.contextTokens &&
      cell.plan.concurrency === 1 &&
      cell.status !== 'invalid' &&
      cell.status !== 'failed',
  )
  return {
    contextTokens: plan.contextTokens,
    status: finalStatus(status),
    ...limitsOf(plan.fit),
    reasons: reasons.map(reason => ({ ...reason })),
    promptTokens: summary?.promptTokens ?? null,
    ttftMs: summary?.ttftMs ?? null,
    tokensPerSecond: summary?.tokensPerSecond ?? null,
    netTokensPerSecond:
      summary === null ? null : netPrefillRate(summary, single?.summary?.ttftMs.headline ?? null),
    hostTokenizeMs: hostTokenizeMs(plan.contextTokens, cells),
    samples: [...(summary?.samples ?? [])],
  }
}

function finalStatus(status: Progress): CellStatus {
  return status === 'planned' || status === 'running' ? 'not-run' : status
}

function limitsOf(fit: PlannedCell['fit']): { limit: Limit | null; limits: Limit[] } {
  return fit.kind === 'over' ? { limit: fit.limits[0], limits: [...fit.limits] } : { limit: null, limits: [] }
}

type Figures = NonNullable<ResultCell['partial']>

const noFigures: Figures = {
  promptTokens: null,
  windowSeconds: null,
  outputTokens: null,
  totalTokensPerSecond: null,
  perStreamTokensPerSecond: null,
  perRequestTokensPerSecond: null,
  stepsPerSecond: null,
  stepMs: null,
  tokensPerChunk: null,
  stallFraction: null,
  meanSequenceTokens: null,
  ttftMs: null,
  itlMs: null,
  interChunkMs: null,
  active: null,
  requests: null,
  server: null,
  client: null,
  slo: null,
  series: null,
}

function figures(summary: CellSummary | null): Figures {
  if (summary === null) return noFigures
  const { series } = summary
  return {
    ...summary,
    series: {
      secondsPerPoint: series.secondsPerPoint,
      tokensPerSecond: [...series.tokensPerSecond],
      ttftMs: [...series.ttftMs],
      running: [...series.running],
      queued: [...series.queued],
      kvCacheUsage: [...series.kvCacheUsage],
    },
  }
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)]
}
