import type { Reason } from '../domain/verdict.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount, count, percent } from '../format/units.ts'

/** Why a cell has its status, as one plain sentence. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case 'requests-queued':
      return queued(reason)
    case 'foreign-load':
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
    case 'few-samples':
      return reason.n === 0
        ? 'no request was long enough in the window to tell its speed'
        : `only ${amount(reason.n, 'request')} long enough to tell the speed of one`
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
      : `, ${meanInFlight.toFixed(1)} of ${count(wanted)} requests were in work on average`
  return queuedShare === null
    ? `the server did not run all requests at once${inFlight}`
    : `requests waited in the server's queue in ${percent(queuedShare)} of its samples${inFlight}`
}
