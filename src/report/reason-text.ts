import type { Reason } from '../domain/verdict.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount, count, milliseconds, percent } from '../format/units.ts'
import { readReason } from '../result/read-reason.ts'

/** A reason as it stands in a result, as one plain sentence; of one that this version does not know, its own words. */
export function reasonSentence(found: { readonly kind: string; readonly [field: string]: unknown }): string {
  const reason = readReason(found)
  if (reason !== null) return describeReason(reason)
  const { kind, ...fields } = found
  const told = Object.entries(fields)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => (name === 'message' ? String(value) : `${name} ${value}`))
  return cleanText([kind.replaceAll('-', ' '), ...told].join(', '))
}

/** Why a cell has its status, as one plain sentence. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case 'requests-queued':
      return queued(reason)
    case 'accounting-mismatch':
      return `the server counted ${percent(reason.agreement)} of the tokens that were counted here`
    case 'client-limited':
      return `this client did not keep up (${clientLoad(reason)}): the figures may be its own`
    case 'client-busy':
      return `this client was busy (${clientLoad(reason)})`
    case 'unsteady':
      return `the steps did not keep their pace: ${milliseconds(reason.firstMs)} in the first third, ${milliseconds(reason.lastMs)} in the last, ${change(reason)}`
    case 'streams-stalled':
      return `${count(reason.streams)} of ${count(reason.of)} streams fell silent, for up to ${milliseconds(reason.longestMs)}`
    case 'retracted':
      return `the server took back ${count(reason.retractions)} requests for want of KV cache`
    case 'foreign-load':
      if (reason.detail === 'tokens')
        return `the server worked on ${percent(reason.agreement)} of the tokens of our requests: the rest was somebody else's`
      if (reason.detail === 'in-window')
        return `requests of someone else ran during the window: server ${reason.running.toFixed(1)} running, ours ${reason.ours.toFixed(1)}`
      return reason.running === null
        ? 'the server was busy with other requests before the cell began'
        : `the server still ran ${amount(reason.running, 'other request')} before the cell began`
    case 'requests-failed':
      return `${count(reason.failed)} of ${amount(reason.started, 'request')} failed: ${cleanText(reason.example)}`
    case 'no-tokens':
      return 'no output token arrived in the window'
    case 'tokens-estimated':
      return reason.counting === 'chunks'
        ? 'the server tells no token counts: each chunk was counted as one token'
        : 'the server tells token counts only at the end of a request: those in between are estimates'
    case 'kv-tight':
      return `the KV cache may fill up: ${count(reason.needed)} tokens needed at most, ${count(reason.available)} there`
    case 'cache-hit':
      return `the server had ${count(reason.cachedTokens)} of ${count(reason.promptTokens)} prompt tokens in its cache: not a cold prompt`
    case 'cache-cold':
      return reason.detail === 'requests'
        ? `${count(reason.requests)} of ${amount(reason.of, 'request')} had lost their cached prompt: up to ${count(reason.mostTokens)} tokens were read anew, ${count(reason.limitTokens)} are normal`
        : `cached prompts were lost: requests read ${count(reason.meanTokens)} tokens anew on average, ${count(reason.limitTokens)} are normal`
    case 'few-samples':
      return reason.n === 0
        ? 'no request decoded long enough in the window to tell how requests differ'
        : `only ${amount(reason.n, 'request')} long enough to tell how requests differ`
    case 'prompt-length-unknown':
      return 'the server does not tell how long its prompts are: they may be longer or shorter than the context named'
    case 'chunks-together':
      return `${percent(reason.share)} of the chunks came together with the one before: TTFT and ITL show when answers are passed on, by a proxy that buffers or by the server, not when tokens are made`
    case 'ended-early':
      return `${count(reason.requests)} of ${amount(reason.of, 'answer')} ended by themselves after ${count(reason.meanTokens)} tokens on average, where ${count(reason.askedTokens)} were asked for`
    case 'output-loop':
      return `${count(reason.requests)} of ${amount(reason.of, 'answer')} repeated themselves, every ${count(reason.periodChars)} characters: «${cleanText(reason.example)}»`
    case 'retried':
      return `measured once more: it was ${reason.status} before${reason.kinds.length === 0 ? '' : ` (${reason.kinds.join(', ')})`}`
    case 'pass-failed':
      return `one pass failed: ${cleanText(reason.message)}`
    case 'failed':
      return cleanText(reason.message)
    default:
      return reason satisfies never
  }
}

function queued({ queuedShare, meanInFlight, wanted }: Extract<Reason, { kind: 'requests-queued' }>): string {
  const inFlight =
    meanInFlight === null
      ? ''
      : `, ${meanInFlight.toFixed(1)} of ${count(wanted)} requests ran or waited for a first token on average`
  return queuedShare === null
    ? `the server did not run all requests at once${inFlight}`
    : `requests waited in the server's queue in ${percent(queuedShare)} of its samples${inFlight}`
}

/** 1.4 ms and 1.4 ms may differ by 7%. */
function change({ firstMs, lastMs }: Extract<Reason, { kind: 'unsteady' }>): string {
  const share = lastMs / firstMs - 1
  return `${percent(Math.abs(share))} ${share > 0 ? 'longer' : 'shorter'}`
}

function clientLoad({
  loopDelayP99Ms,
  loopUtilisation,
}: Extract<Reason, { kind: 'client-limited' | 'client-busy' }>): string {
  return `load thread late by ${milliseconds(loopDelayP99Ms)} at p99, ${percent(loopUtilisation)} busy`
}
