import type { LoadTarget } from './messages.ts'

/** Digits reserved for `max_tokens`; JSON allows the blanks that fill them. */
const lengthDigits = 8
export const ridLength = 24

/**
 * The encoded body of a stream's requests. Encoded once, before the launch: a replacement differs only in its rid and
 * its `max_tokens`, which stand in fields of fixed width and are written in place (a prompt may be megabytes).
 */
export class RequestBody {
  readonly bytes: Buffer
  readonly #ridAt: number | null
  readonly #lengthAt: number

  constructor(target: LoadTarget, prompt: string) {
    const { rid, head } = bodyHead(target)
    this.bytes = Buffer.from(`${head}${JSON.stringify(bodyRest(target, prompt)).slice(1)}`)
    this.#ridAt = rid
    this.#lengthAt = head.length - 1 - lengthDigits
  }

  /** Sets what differs; only while no request with this body is under way. */
  set(rid: string, maxTokens: number): void {
    if (rid.length !== ridLength) throw new RangeError(`a rid has ${ridLength} characters: ${rid}`)
    if (this.#ridAt !== null) this.bytes.write(rid, this.#ridAt, 'latin1')
    this.bytes.write(String(maxTokens).padStart(lengthDigits), this.#lengthAt, 'latin1')
  }
}

/** Only servers that abort by rid get one: others may refuse a field that they do not know. */
function bodyHead({ abortPath }: LoadTarget): { readonly rid: number | null; readonly head: string } {
  const length = `"max_tokens":${' '.repeat(lengthDigits)},`
  if (abortPath === null) return { rid: null, head: `{${length}` }
  const opening = '{"rid":"'
  return { rid: opening.length, head: `${opening}${' '.repeat(ridLength)}",${length}` }
}

function bodyRest(target: LoadTarget, prompt: string): Record<string, unknown> {
  return {
    model: target.model,
    stream: true,
    // vLLM tells usage in each chunk only when it is asked for the one at the end, too.
    stream_options: { include_usage: true, continuous_usage_stats: true },
    ...(target.ignoreEos ? { ignore_eos: true } : {}),
    ...(target.temperature === null ? {} : { temperature: target.temperature }),
    ...target.extraBody,
    ...(target.endpoint === 'chat' ? { messages: [{ role: 'user', content: prompt }] } : { prompt }),
  }
}
