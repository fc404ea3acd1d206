import { type Pair, pairCells, pairPrefill } from '../domain/compare-cells.ts'
import { type Gate, type GateVerdict, judgeGate, lostPairs } from '../domain/compare-gate.ts'
import { type Tally, tallyPairs } from '../domain/compare-tally.ts'
import type { Slo } from '../domain/run-options.ts'
import { type Requirement, type SloRow, sloRows, unmetRequirements } from '../domain/slo.ts'
import type { RunResult } from '../result/schema.ts'
import { type Contrast, conflictsOf, differencesOf } from './compare-contrasts.ts'

/** A result and what to call it. */
export type NamedResult = { readonly name: string; readonly result: RunResult }

export type CompareOptions = {
  /** 95 % half-width of the noise between runs of the same server and load, as a share. */
  readonly runNoise: number
  readonly gates: readonly Gate[]
  /** `null`: no limit asked. */
  readonly slo: Slo | null
  readonly requirements: readonly Requirement[]
}

/** Runs held against the first of them; what every renderer shows and `--format json` writes. */
export type Comparison = {
  readonly schema: 'tokgrid/comparison'
  readonly schemaVersion: 1
  readonly runNoise: number
  readonly baseline: RunHead
  readonly runs: readonly RunComparison[]
  readonly slo: Slo | null
  /** No gate failed and every requirement is met. */
  readonly passed: boolean
}

export type RunHead = {
  /** A for the baseline, then B, C, … */
  readonly letter: string
  readonly name: string
  readonly runId: string
  readonly ending: RunResult['run']['ending']
  readonly model: string | null
  readonly engine: string | null
  readonly engineVersion: string | null
  readonly startedAt: string | null
  /** Empty without an SLO. */
  readonly sloRows: readonly SloRow[]
}

export type RunComparison = RunHead & {
  /** What makes it another measurement than the baseline's. */
  readonly conflicts: readonly Contrast[]
  readonly differences: readonly Contrast[]
  readonly tallies: readonly Tally[]
  readonly prefill: readonly Pair[]
  readonly cells: readonly Pair[]
  readonly gates: readonly GateVerdict[]
  /** Cells and prefill rows that the baseline had measured and this run has not: with a gate, they fail it. */
  readonly lost: readonly Pair[]
  readonly unmet: readonly Requirement[]
  readonly passed: boolean
}

/** Holds each of `others` against `baseline`. */
export function compareRuns(
  baseline: NamedResult,
  others: readonly NamedResult[],
  options: CompareOptions,
): Comparison {
  const runs = others.map((run, index) => compareRun(baseline, run, letterOf(index + 1), options))
  return {
    schema: 'tokgrid/comparison',
    schemaVersion: 1,
    runNoise: options.runNoise,
    baseline: headOf(baseline, letterOf(0), options),
    runs,
    slo: options.slo,
    passed: runs.every(({ passed }) => passed),
  }
}

function compareRun(a: NamedResult, b: NamedResult, letter: string, options: CompareOptions): RunComparison {
  const { runNoise, gates, requirements } = options
  const prefill = pairPrefill(a.result.prefill, b.result.prefill, runNoise)
  const cells = pairCells(a.result.decode, b.result.decode, runNoise)
  const pairs = [...prefill, ...cells]
  const tallies = tallyPairs(pairs, runNoise)
  const verdicts = gates.map(gate => judgeGate(gate, pairs, tallies))
  const lost = lostPairs(pairs)
  const head = headOf(b, letter, options)
  const unmet = unmetRequirements(head.sloRows, requirements)
  return {
    ...head,
    conflicts: conflictsOf(a.result, b.result),
    differences: differencesOf(a.result, b.result),
    tallies,
    prefill,
    cells,
    gates: verdicts,
    lost,
    unmet,
    passed:
      verdicts.every(verdict => verdict.passed) &&
      (gates.length === 0 || lost.length === 0) &&
      unmet.length === 0,
  }
}

function headOf({ name, result }: NamedResult, letter: string, { slo }: CompareOptions): RunHead {
  const { server, run, decode } = result
  return {
    letter,
    name,
    runId: run.id,
    ending: run.ending,
    model: server.model.id,
    engine: server.engine.name,
    engineVersion: server.engine.version,
    startedAt: run.startedAt,
    sloRows: slo === null ? [] : sloRows(decode, slo),
  }
}

function letterOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}
