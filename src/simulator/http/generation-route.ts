import type { ServerResponse } from 'node:http'
import type { SimRequest } from '../engine/sim-request.ts'
import { seededRandom } from '../random.ts'
import { admit } from './admission.ts'
import { EventStream } from './event-stream.ts'
import type { Answer, GenerationReply } from './generation-reply.ts'
import type { Endpoint, GenerationRequest } from './generation-request.ts'
import { type Host, unixSeconds } from './host.ts'
import type { Route } from './http-call.ts'
import { delayed, interrupted } from './interruption.ts'
import { nativeStream } from './native-stream.ts'
import { chatStream, completionStream } from './openai-stream.ts'
import { sendRefusal, streamRefusal } from './refusal.ts'
import { type Interruption, planStream, type StreamPlan } from './stream-plan.ts'
import { multibyteText, plainText } from './vocabulary.ts'
import { wholeReply } from './whole-reply.ts'

/** The route that generates text. */
export function generationRoute(endpoint: Endpoint, host: Host, newRid: () => string): Route {
  return ({ response, body }) => {
    const plan = planStream(host.faults.drawForRequest())
    const asked = admit(endpoint, body, plan, host, newRid)
    if (!('status' in asked)) answer(response, asked, plan, host)
    else if (asked.stage === 'reading' || body.stream !== true || host.view.dialect.refusesBeforeStream)
      sendRefusal(response, endpoint, asked)
    else streamRefusal(new EventStream(response, plan, seededRandom(0)), endpoint, asked)
  }
}

function answer(response: ServerResponse, asked: GenerationRequest, plan: StreamPlan, host: Host): void {
  const { driver, view, faults } = host
  driver.submit(asked, request => faultyReply(response, asked, plan, host, request))
  response.on('close', () => {
    if (response.writableFinished || faults.get('zombies') !== undefined) return
    // SGLang polls for closed connections; that it goes by id then hits a new request of the same id, here too.
    const abandon = () => {
      if (view.engine.isLive(asked.rid)) driver.abort(asked.rid)
    }
    setTimeout(abandon, view.engine.profile.host.disconnectMs)
  })
}

function faultyReply(
  response: ServerResponse,
  asked: GenerationRequest,
  plan: StreamPlan,
  { driver, view, faults, now }: Host,
  request: SimRequest,
): GenerationReply {
  const random = seededRandom(request.seed)
  const stream = new EventStream(response, plan, random)
  const answer: Answer = {
    asked,
    request,
    text: plan.text === 'plain' ? plainText(random) : multibyteText(random),
    created: unixSeconds(now()),
    dialect: view.dialect,
    cacheReport: faults.get('no-cache-report') === undefined,
  }
  const sound = soundReply(response, stream, answer)
  const { interruption, delayMs } = plan
  const broken =
    interruption === null
      ? sound
      : interrupted(sound, interruption.afterTokens, () => {
          if (interruption.kind === 'stream-error') driver.abort(asked.rid)
          breakOff(interruption, response, stream, asked)
        })
  const reply: GenerationReply = output => {
    if (!response.destroyed) broken(output)
  }
  return delayMs === 0 ? reply : delayed(reply, delayMs)
}

function soundReply(response: ServerResponse, stream: EventStream, answer: Answer): GenerationReply {
  const { endpoint, streaming } = answer.asked
  if (!streaming) return wholeReply(response, answer)
  switch (endpoint) {
    case 'chat':
      return chatStream(stream, answer)
    case 'completions':
      return completionStream(stream, answer)
    case 'generate':
      return nativeStream(stream, answer)
    default:
      return endpoint satisfies never
  }
}

function breakOff(
  { kind }: Interruption,
  response: ServerResponse,
  stream: EventStream,
  { endpoint, streaming }: GenerationRequest,
): void {
  const error = { status: 500, message: 'CUDA error: an illegal memory access was encountered' } as const
  switch (kind) {
    case 'stall':
      return
    case 'cut':
      // What was written before still goes out.
      response.socket?.destroySoon()
      return
    case 'endless-line':
      stream.sendForEver()
      return
    case 'stream-error':
      if (streaming) streamRefusal(stream, endpoint, error)
      else sendRefusal(response, endpoint, error)
      return
    default:
      kind satisfies never
  }
}
