import type { ServerResponse } from 'node:http'
import type { FinishReason, Output, SimRequest } from '../engine/sim-request.ts'
import { seededRandom } from '../random.ts'
import type { GenerationRequest } from './generation-request.ts'
import { sendJson } from './reply.ts'
import { generateText } from './vocabulary.ts'

/** Turns a request's outputs into the answer that its client reads. */
export type GenerationReply = (output: Output) => void

/** One reply at the end. */
export function wholeReply(
  response: ServerResponse,
  asked: GenerationRequest,
  created: number,
): GenerationReply {
  return ({ request, finish }) => {
    if (finish === null) return
    const text = generateText(seededRandom(request.seed), request.outputTokens)
    const chat = asked.endpoint === 'chat'
    const content = chat
      ? { message: { role: 'assistant', content: text, reasoning_content: null, tool_calls: null } }
      : { text }
    sendJson(response, 200, {
      id: asked.rid,
      object: chat ? 'chat.completion' : 'text_completion',
      created,
      model: asked.model,
      choices: [
        { index: 0, ...content, logprobs: null, finish_reason: finish, matched_stop: matchedStop(finish) },
      ],
      usage: JSON.parse(usageJson(request, request.outputTokens)),
      metadata: { weight_version: 'default' },
    })
  }
}

/**
 * A stream of server-sent events: one content chunk for each step, so a chunk can hold several tokens. Built of strings:
 * only the text differs from chunk to chunk.
 */
export function streamReply(
  response: ServerResponse,
  asked: GenerationRequest,
  created: number,
): GenerationReply {
  const chat = asked.endpoint === 'chat'
  const names = JSON.stringify({
    id: asked.rid,
    object: chat ? 'chat.completion.chunk' : 'text_completion',
    created,
    model: asked.model,
  })
  const head = `data: ${names.slice(0, -1)},"choices":[`
  const send = (choice: string, usage = '') => response.write(`${head}${choice}]${usage}}\n\n`)
  let random = seededRandom(0)
  let sent = 0
  return ({ request, tokens, finish }) => {
    if (!response.headersSent) {
      random = seededRandom(request.seed)
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      // SGLang sends the role with the first output, not when it takes the request in.
      if (chat) send(choiceJson('"delta":{"role":"assistant","content":""}', null))
    }
    sent += tokens
    const usage = asked.continuousUsage ? `,"usage":${usageJson(request, sent)}` : ''
    const text = JSON.stringify(generateText(random, tokens))
    // Chat ends with a chunk of its own, completions with their last text.
    if (!chat) send(choiceJson(`"text":${text}`, finish), usage)
    else if (tokens > 0) send(choiceJson(`"delta":{"content":${text}}`, null), usage)
    if (finish === null) return
    if (chat) send(choiceJson('"delta":{}', finish))
    if (asked.includeUsage) send('', `,"usage":${usageJson(request, sent)}`)
    response.end('data: [DONE]\n\n')
  }
}

function choiceJson(content: string, finish: FinishReason | null): string {
  const reason = finish === null ? 'null' : `"${finish}"`
  return `{"index":0,${content},"logprobs":null,"finish_reason":${reason},"matched_stop":${matchedStop(finish)}}`
}

/** The `usage` object; SGLang names cached tokens only when there are some. */
function usageJson({ prompt, cachedTokens }: SimRequest, completionTokens: number): string {
  const details = cachedTokens > 0 ? `{"cached_tokens":${cachedTokens}}` : 'null'
  return (
    `{"prompt_tokens":${prompt.tokens},"total_tokens":${prompt.tokens + completionTokens}` +
    `,"completion_tokens":${completionTokens},"prompt_tokens_details":${details},"reasoning_tokens":0}`
  )
}

/** Id of the end-of-text token, where that ended the output. */
function matchedStop(finish: FinishReason | null): number | null {
  return finish === 'stop' ? 151_645 : null
}
