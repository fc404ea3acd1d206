import { cleanText } from '../../format/clean-text.ts'
import type { RunResult } from '../../result/schema.ts'
import { cellNotes } from '../cell-notes.ts'
import { gpuNames, timeText } from '../facts.ts'
import type { Measurement } from '../measurements.ts'
import type { ReportRun } from './report-run.ts'

/** What the page shows of a run: its reasons as sentences only. */
export function readRun(result: RunResult, name: string): ReportRun {
  const { decode, prefill, run } = result
  return {
    name: cleanText(name),
    about: aboutText(result),
    slo: run.options.slo ?? null,
    cells: decode.map(row => ({
      ...row,
      reasons: [],
      notes: notesOf({ phase: 'decode', row, concurrency: row.concurrency }),
    })),
    prefill: prefill.map(row => ({ ...row, reasons: [] })),
  }
}

function notesOf(measurement: Measurement): readonly string[] {
  return cellNotes([measurement]).map(({ sentence }) => sentence)
}

/** sglang 0.5.9 · BF16 · 1 × NVIDIA H200 · 2026-11-30 21:42 UTC */
function aboutText({ server: { engine }, hardware, run }: RunResult): string {
  return [
    [engine.name, engine.version].flatMap(text => (text === null ? [] : cleanText(text))).join(' '),
    ...(engine.quantization === null ? [] : [cleanText(engine.quantization)]),
    ...(hardware.gpus === null ? [] : [gpuNames(hardware.gpus)]),
    ...(run.startedAt === null ? [] : [timeText(run.startedAt)]),
  ].join(' · ')
}
