import type { Finding } from '../domain/finding.ts'
import type { LaunchFlag } from '../domain/launch-flags.ts'
import { count, decimal, finePercent, milliseconds, percent } from '../format/units.ts'
import { describeLimit } from '../report/limit-text.ts'
import { describeReason } from '../report/reason-text.ts'
import { throttleWords } from './throttle-words.ts'

/** What limits a cell, in a plain sentence or two: first what was measured, then what it points to. */
export function describeFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'not-measured':
      return 'nothing can be said before it is measured'
    case 'being-measured':
      return 'it is being measured: what limits it is told as soon as its window has ended'
    case 'no-room':
      return `${describeLimit(finding.limit)}; this cell needs ${count(finding.limit.needed)}`
    case 'not-the-server':
      return describeReason(finding.reason)
    case 'request-limit':
      return `requests waited while the server ran ${count(finding.running)}, and it runs at most ${count(finding.limit)} at once`
    case 'state-slots':
      return `requests waited while ${percent(finding.usage)} of the state slots were in use${
        finding.basis === 'measured'
          ? ''
          : '; no other limit was reached, and hybrid models set aside several slots for each request'
      }`
    case 'kv-full':
      return kvFull(finding)
    case 'queue':
      return `requests waited while the server ran ${count(finding.running)}, and no limit that it tells of was reached: what held them is not known`
    case 'throttle':
      return `the GPU's clock was held down by ${throttleWords[finding.reason]} in ${percent(finding.share)} of the looks at it`
    case 'stalls':
      return `${finePercent(finding.share)} of the streams' time went by in pauses of more than three steps, as they come when the server reads prompts of others between steps`
    case 'graph-batch':
      return `a batch of ${count(finding.running)} requests is larger than the ${count(finding.largest)} that CUDA graphs were captured for, and steps without a graph are slower`
    case 'graph-off':
      return 'the server runs without CUDA graphs, which makes each step slower'
    case 'acceptance':
      return `a step brought ${decimal(finding.accepted, 2)} tokens for each request, of ${count(finding.most)} at most`
    case 'steps':
      return steps(finding)
    case 'one-stream':
      return `a step took ${milliseconds(finding.stepMs)} with one request: it reads all active weights for that one, so that memory speed is what usually counts; more streams would share the reading`
    case 'no-signals':
      return 'the server tells no metrics: whether requests waited or its cache was full is not known'
    default:
      return finding satisfies never
  }
}

function kvFull({ usage, retractions }: Extract<Finding, { kind: 'kv-full' }>): string {
  const taken =
    retractions === null || retractions === 0
      ? ''
      : `, and it took back ${count(retractions)} running requests`
  return `the KV cache was up to ${percent(usage)} full${taken === '' ? ' while requests waited' : taken}`
}

function steps({ stepMs, aloneMs, streams, scaling }: Extract<Finding, { kind: 'steps' }>): string {
  const measured = `a step took ${milliseconds(stepMs)} against ${milliseconds(aloneMs)} with one stream, and ${count(streams)} at once are ${decimal(streams * scaling, 1)} times as fast as one`
  return scaling >= scalesWell
    ? `${measured}: the batch costs little, more streams would bring more`
    : `${measured}: the batch itself takes the time, in computing or in reading the KV cache`
}

/** From here on doubling the streams brings more than it costs. */
const scalesWell = 0.7

/** `--max-running-requests (32 now)` */
export function flagText({ flag, setting }: LaunchFlag): string {
  if (setting === undefined) return flag
  return setting === null ? `${flag} (not set)` : `${flag} (${setting} now)`
}
