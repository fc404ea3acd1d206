import { cleanText } from '../format/clean-text.ts'
import type { RunResult } from '../result/schema.ts'

/** How the figures came about, one sentence each: what a reader needs who has only the report. */
export function methodSentences({ imported }: RunResult): readonly string[] {
  return imported === null
    ? ownMethod
    : [
        `Measured by ${cleanText(imported.from)}, by its own definitions; figures that it does not tell are not known.`,
      ]
}

const ownMethod = [
  'Total tok/s: output tokens of all streams that arrived in the measurement window, divided by its length. ±: half-width of its 95% interval, the larger of batch means over the window and of the differences between requests.',
  'Latencies are medians. Per request tok/s and time between tokens: of a request while it streams, without its wait for the first token.',
  'TTFT: from the writing of a request to its first token, of requests that replaced others inside the window; with fewer than three of them, of those that were launched at once. Prompts were cached before, so that it mostly excludes prefill.',
  'Prefill: cold prompts, one at a time; prompt tokens divided by TTFT. Net: without the work of the host, which the TTFT of a cached prompt shows.',
  'Steps/s: the inverse of the typical gap between chunks of a stream, the mean of their middle half. It scatters far less than tok/s, which speculative acceptance moves.',
  'Server / client tokens: what the server counted against what arrived here, over the same time.',
]
