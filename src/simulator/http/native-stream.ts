import type { Output } from '../engine/sim-request.ts'
import type { EventStream } from './event-stream.ts'
import { type Answer, type GenerationReply, matchedStop } from './generation-reply.ts'

/** A stream of /generate: each event tells the whole answer so far. */
export function nativeStream(stream: EventStream, answer: Answer): GenerationReply {
  const gather = gatherNative(answer)
  return output => {
    stream.send(JSON.stringify(gather(output)))
    if (output.finish !== null) stream.end()
  }
}

/** Adds up the outputs of a request to /generate; each call returns the answer so far. */
export function gatherNative({ asked, request, text }: Answer): (output: Output) => object {
  let said = ''
  let steps = 0
  /** Ids that mean nothing: one for each token. */
  const outputIds: number[] = []
  return ({ tokens, finish, at }) => {
    said += text(tokens)
    if (tokens > 0) steps++
    for (let i = 0; i < tokens; i++) outputIds.push(outputIds.length % 1000)
    return {
      text: said,
      output_ids: outputIds,
      meta_info: {
        id: asked.rid,
        finish_reason: finish === null ? null : finishJson(finish, outputIds.length),
        prompt_tokens: request.prompt.tokens,
        completion_tokens: outputIds.length,
        cached_tokens: request.cachedTokens,
        weight_version: 'default',
        // The first token is the prefill's.
        spec_verify_ct: Math.max(0, steps - 1),
        ...(finish === null ? {} : { e2e_latency: (at - request.arrivedAt) / 1000 }),
      },
    }
  }
}

function finishJson(finish: NonNullable<Output['finish']>, tokens: number): object {
  switch (finish) {
    case 'length':
      return { type: finish, length: tokens }
    case 'stop':
      return { type: finish, matched: matchedStop(finish) }
    case 'abort':
      return { type: finish, message: 'Aborted', status_code: null, err_type: null }
    default:
      return finish satisfies never
  }
}
