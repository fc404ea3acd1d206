import type { Output } from '../engine/sim-request.ts'
import type { GenerationReply } from './generation-reply.ts'

/** Lets outputs through until `afterTokens` have come; then, once, `instead`, and nothing more. */
export function interrupted(
  reply: GenerationReply,
  afterTokens: number,
  instead: () => void,
): GenerationReply {
  let given = 0
  let isOver = false
  return output => {
    if (isOver) return
    isOver = given >= afterTokens
    given += output.tokens
    if (isOver) instead()
    else reply(output)
  }
}

/** Holds outputs back for `delayMs` after the first, then lets them through as they come. */
export function delayed(reply: GenerationReply, delayMs: number): GenerationReply {
  const held: Output[] = []
  let isOpen = false
  return output => {
    if (isOpen) return reply(output)
    held.push(output)
    if (held.length > 1) return
    setTimeout(() => {
      isOpen = true
      held.forEach(reply)
    }, delayMs)
  }
}
