import type { RequestTrace } from './request-trace.ts'
import type { RunOptions } from './run-options.ts'

/** Which text a request carries. Prompts of one stream are nested: the longer begins with the shorter. */
export type PromptSpec = {
  readonly stream: number
  /** Prompts with a number here share no beginning with any other: cold by construction. */
  readonly cold: number | null
  /** Characters of the whole text, instruction included. */
  readonly chars: number
}

/** Tokens of a prompt by its length: fixed + perChar × chars, as the server's own counts gave it. */
export type PromptLengthFit = { readonly fixedTokens: number; readonly tokensPerChar: number }

/** English text in common tokenizers; used only where the server tells no counts at all, and then nothing is reported. */
const assumedFit: PromptLengthFit = { fixedTokens: 10, tokensPerChar: 1 / 4.5 }
/** A decode prompt is at most so much shorter than its context and never longer, so that prompt and output fit. */
const lengthTolerance = 0.005
/** Shorter prompts are mostly head and instruction: there is no text to correct. */
const shortestCorrected = 1024
/** Room below the context limit for the error of the fit: one that calibration gave, and one of long cold prompts. */
const fullLimitShares = { calibrated: 0.994, learned: 0.997 }
const shortCalibrationChars = 2_000
const longCalibrationChars = 24_000
const calibrationRoom = 512

/** Lengths in characters of the two calibration prompts; both fit the limit even at one token per character. */
export function calibrationChars(contextLimit: number | null): readonly [number, number] {
  const longest = Math.min(
    longCalibrationChars,
    Math.max(600, (contextLimit ?? longCalibrationChars) - calibrationRoom),
  )
  return [Math.min(shortCalibrationChars, Math.floor(longest / 2)), longest]
}

/**
 * Line through the shortest and the longest counted prompt; with one length alone, through it and the assumed fixed part.
 * `null` when the server told none.
 */
export function fitPromptLength(traces: readonly RequestTrace[]): PromptLengthFit | null {
  const counted = traces
    .flatMap(({ promptChars: chars, promptTokens: tokens }) => (tokens === null ? [] : [{ chars, tokens }]))
    .sort((a, b) => a.chars - b.chars)
  const longest = counted.at(-1)
  if (longest === undefined) return null
  const [shortest = longest] = counted
  const from = shortest.chars < longest.chars ? shortest : { chars: 0, tokens: assumedFit.fixedTokens }
  const tokensPerChar = (longest.tokens - from.tokens) / (longest.chars - from.chars)
  if (!(tokensPerChar > 0)) return null
  return { fixedTokens: longest.tokens - tokensPerChar * longest.chars, tokensPerChar }
}

/** Characters for a prompt of about `tokens` tokens. */
export function charsFor(tokens: number, fit: PromptLengthFit | null): number {
  const { fixedTokens, tokensPerChar } = fit ?? assumedFit
  return Math.max(0, Math.floor((tokens - fixedTokens) / tokensPerChar))
}

/** The prompt of one stream of a decode cell; with shared prompts all streams send that of stream 0. */
export function decodePrompt(
  contextTokens: number,
  stream: number,
  { prompts }: Pick<RunOptions, 'prompts'>,
  { promptFit, streamFits }: PromptFits,
): PromptSpec {
  const source = prompts === 'shared' ? 0 : stream
  const aim = contextTokens * (1 - lengthTolerance / 2)
  return { stream: source, cold: null, chars: charsFor(aim, streamFits[source] ?? promptFit) }
}

/** What is known of prompt lengths: of all texts, and of those streams whose own text was found to differ. */
export type PromptFits = {
  readonly promptFit: PromptLengthFit | null
  readonly streamFits: Readonly<Record<number, PromptLengthFit>>
}

/** Whether a decode prompt missed its context, by the server's own count. Unknown counts miss nothing. */
export function missesLength(
  contextTokens: number,
  { promptTokens }: Pick<RequestTrace, 'promptTokens'>,
): boolean {
  if (promptTokens === null || contextTokens < shortestCorrected) return false
  return promptTokens > contextTokens || promptTokens < contextTokens * (1 - lengthTolerance)
}

/** The streams' own lines, corrected by prompts that missed their context. */
export function correctedFits(
  { promptFit, streamFits }: PromptFits,
  contextTokens: number,
  traces: readonly RequestTrace[],
): PromptFits['streamFits'] {
  const fixedTokens = promptFit?.fixedTokens ?? assumedFit.fixedTokens
  const corrections = traces
    .filter(trace => missesLength(contextTokens, trace))
    .flatMap(({ stream, promptTokens, promptChars }) =>
      promptTokens === null
        ? []
        : [[stream, { fixedTokens, tokensPerChar: (promptTokens - fixedTokens) / promptChars }]],
    )
  return { ...streamFits, ...Object.fromEntries(corrections) }
}

/** The line of cold prompts by the longest of these; shorter prompts leave it as it is. */
export function coldFit(
  { promptFit, coldFit: known }: ColdFits,
  traces: readonly RequestTrace[],
): PromptLengthFit | null {
  const fixedTokens = promptFit?.fixedTokens ?? assumedFit.fixedTokens
  const longest = traces
    .flatMap(({ promptChars: chars, promptTokens: tokens }) => (tokens === null ? [] : [{ chars, tokens }]))
    .sort((a, b) => a.tokens - b.tokens)
    .at(-1)
  if (longest === undefined || longest.tokens < shortestCorrected) return known
  return { fixedTokens, tokensPerChar: (longest.tokens - fixedTokens) / longest.chars }
}

/** What is known of the lengths of cold prompts: by calibration, and by the last long one. */
export type ColdFits = {
  readonly promptFit: PromptLengthFit | null
  readonly coldFit: PromptLengthFit | null
}

/** Length of a prompt for the full context limit: as near as the line it is made by allows. */
export function fullLimitPromptTokens(contextLimit: number, line: 'calibrated' | 'learned'): number {
  return Math.floor(contextLimit * fullLimitShares[line]) - 1
}

/** A cold prompt: a new text of the context's length; at the full limit just below it, so that an output token fits. */
export function prefillPrompt(
  contextTokens: number,
  cold: number,
  contextLimit: number | null,
  { promptFit, coldFit }: ColdFits,
): PromptSpec {
  const line = coldFit === null ? 'calibrated' : 'learned'
  const tokens = contextTokens === contextLimit ? fullLimitPromptTokens(contextLimit, line) : contextTokens
  return { stream: 0, cold, chars: charsFor(tokens, coldFit ?? promptFit) }
}
