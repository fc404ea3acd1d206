import type { Limit } from '../domain/capacity.ts'
import type { CellSummary } from '../domain/cell-summary.ts'
import { endJob } from '../domain/end-job.ts'
import { hostTokenizeMs } from '../domain/host-tokenize.ts'
import { netPrefill } from '../domain/net-prefill.ts'
import type { PlannedCell } from '../domain/plan.ts'
import type { CellState, PrefillState, Progress, RunState } from '../domain/run-state.ts'
import { scalingEfficiency } from '../domain/scaling.ts'
import { type MeasuredIn, measuredIn } from '../domain/taken-over.ts'
import type { CellStatus } from '../domain/verdict.ts'
import { type Description, describeResult } from './describe-result.ts'
import { type ResultCell, type ResultPrefill, type RunResult, schemaVersion } from './schema.ts'

/** What the run's own events do not tell. */
export type Surroundings = {
  readonly tool: { readonly name: string; readonly version: string; readonly node: string }
  readonly description: Description | null
}

/**
 * The result document of a run at any time; `null` before the server is known. Unfinished cells are `not-run`; of the
 * work in progress it tells what it would if the run were interrupted now.
 */
export function buildResult(latest: RunState, { tool, description }: Surroundings): RunResult | null {
  const state = latest.job === null ? latest : endJob(latest, { kind: 'interrupted' })
  const { run, server } = state
  if (run === null || server === null) return null
  const { contexts, concurrency, extraBody, ...options } = run.options
  const result: RunResult = {
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
      notes: {},
      promptSet: run.promptSet,
      options: {
        ...options,
        contexts:
          contexts === null ? distinct(state.cells.map(cell => cell.plan.contextTokens)) : [...contexts],
        concurrency: [...concurrency],
        extraBody: { ...extraBody },
      },
    },
    server: { ...server, launch: { ...server.launch, settings: { ...server.launch.settings } } },
    hardware: hardwareOf(state),
    prefill: state.prefill.map((row, index) => ({
      ...prefillRow(row, state.cells),
      ...origin(state.takenOver.prefill.find(one => one.index === index)?.measuredIn ?? null),
    })),
    decode: state.cells.map((cell, index) => ({
      ...decodeCell(cell, state.cells),
      ...origin(measuredIn(state, cell, index)),
    })),
    imported: null,
    described: {},
  }
  return description === null ? result : describeResult(result, description)
}

function hardwareOf({ hardware }: RunState): RunResult['hardware'] {
  if (hardware === null) return { gpus: null, host: null }
  const gpus = hardware.gpus?.map(gpu => ({ ...gpu, migInstances: [...gpu.migInstances] })) ?? null
  return { gpus, host: hardware.host }
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

function prefillRow(row: PrefillState, cells: readonly CellState[]): ResultPrefill {
  const { plan, status, reasons, summary } = row
  return {
    contextTokens: plan.contextTokens,
    status: finalStatus(status),
    ...limitsOf(plan.fit),
    reasons: reasons.map(reason => ({ ...reason })),
    promptTokens: summary?.promptTokens ?? null,
    ttftMs: summary?.ttftMs ?? null,
    tokensPerSecond: summary?.tokensPerSecond ?? null,
    netTokensPerSecond: netPrefill(row, cells),
    hostTokenizeMs: hostTokenizeMs(plan.contextTokens, cells),
    samples: [...(summary?.samples ?? [])],
  }
}

function origin(run: MeasuredIn | null): { readonly measuredIn?: MeasuredIn } {
  return run === null ? {} : { measuredIn: run }
}

function finalStatus(status: Progress): CellStatus {
  return status === 'planned' || status === 'running' ? 'not-run' : status
}

function limitsOf(fit: PlannedCell['fit']): { limit: Limit | null; limits: Limit[] } {
  return fit.kind === 'over' ? { limit: fit.limits[0], limits: [...fit.limits] } : { limit: null, limits: [] }
}

export type Figures = NonNullable<ResultCell['partial']>

/** A cell that nothing was measured of. */
export const noFigures: Figures = {
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
  hardware: null,
  slo: null,
  series: null,
}

function figures(summary: CellSummary | null): Figures {
  if (summary === null) return noFigures
  const { series, hardware } = summary
  return {
    ...summary,
    hardware: hardware && { ...hardware, throttle: hardware.throttle && [...hardware.throttle] },
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
