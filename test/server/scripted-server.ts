import { createServer, type IncomingMessage } from 'node:http'
import { portOf } from '../support/own-server.ts'

export type Reply = {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** JSON unless it is text. */
  readonly body?: unknown
}

/** `hang`: the request is read and never answered. */
export type Route = Reply | 'hang' | ((request: IncomingMessage) => Reply | 'hang')

/** What to answer for each path; all others are 404. May be changed while the server runs. */
export type Script = Record<string, Route>

/** A server with answers of known truth, closed with its test. */
export async function scriptedServer(script: Script): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    const route = script[request.url ?? ''] ?? { status: 404, body: { detail: 'Not Found' } }
    const reply = typeof route === 'function' ? route(request) : route
    if (reply === 'hang') return
    const { status = 200, headers = {}, body = '' } = reply
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { url: `http://127.0.0.1:${await portOf(server)}`, seen }
}

/** An SGLang server that serves one model, idle. */
export const sglangScript = (): Script => ({
  '/v1/models': {
    body: { object: 'list', data: [{ id: 'org/model', owned_by: 'sglang', max_model_len: 32_768 }] },
  },
  '/server_info': {
    body: {
      version: '0.5.20',
      model_path: '/models/model',
      api_key: 'sk-launch',
      attention_backend: 'fa3',
      quantization: 'fp8',
      context_length: null,
      dp_size: 2,
      page_size: 64,
      max_running_requests: 64,
      max_total_num_tokens: 60_000,
      max_req_input_len: 32_767,
      speculative_algorithm: 'EAGLE',
      speculative_num_draft_tokens: 4,
      internal_states: [
        { effective_max_running_requests_per_dp: 28 },
        { effective_max_running_requests_per_dp: 26 },
      ],
    },
  },
  '/metrics': {
    body: 'sglang:num_running_reqs{dp_rank="0"} 9\nsglang:num_running_reqs{dp_rank="1"} 1\nsglang:realtime_tokens_total{dp_rank="0",mode="decode"} 100\n',
  },
  '/v1/loads': {
    body: {
      loads: [
        { dp_rank: 0, num_running_reqs: 0, num_waiting_reqs: 0 },
        { dp_rank: 1, num_running_reqs: 0, num_waiting_reqs: 0 },
      ],
    },
  },
  '/tokenize': { body: { tokens: [1], count: 1 } },
})
