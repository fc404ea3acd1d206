import type { ServerResponse } from 'node:http'
import type { Output } from '../engine/sim-request.ts'
import { type Answer, type GenerationReply, matchedStop, usageJson } from './generation-reply.ts'
import { gatherNative } from './native-stream.ts'
import { sendJson } from './reply.ts'

/** One reply at the end. */
export function wholeReply(response: ServerResponse, answer: Answer): GenerationReply {
  const { endpoint } = answer.asked
  const gather = endpoint === 'generate' ? gatherNative(answer) : gatherOpenAi(endpoint, answer)
  return output => {
    const body = gather(output)
    if (output.finish !== null) sendJson(response, 200, body)
  }
}

function gatherOpenAi(endpoint: 'chat' | 'completions', answer: Answer): (output: Output) => object {
  const { asked, request, text, created } = answer
  return ({ finish }) => {
    if (finish === null) return {}
    const thoughts = text(Math.min(asked.reasoningTokens, request.outputTokens))
    const said = text(Math.max(0, request.outputTokens - asked.reasoningTokens))
    const content =
      endpoint === 'chat'
        ? {
            message: {
              role: 'assistant',
              content: said,
              reasoning_content: thoughts || null,
              tool_calls: null,
            },
          }
        : { text: said }
    return {
      id: asked.rid,
      object: endpoint === 'chat' ? 'chat.completion' : 'text_completion',
      created,
      model: asked.model,
      choices: [
        { index: 0, ...content, logprobs: null, finish_reason: finish, matched_stop: matchedStop(finish) },
      ],
      usage: asked.includeUsage ? JSON.parse(usageJson(answer, request.outputTokens)) : null,
      metadata: { weight_version: 'default' },
    }
  }
}
