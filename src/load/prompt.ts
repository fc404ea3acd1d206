import { createHash } from 'node:crypto'
import type { PromptSet } from '../domain/events.ts'
import type { PromptSpec } from '../domain/prompt-plan.ts'
import { seededRandom } from '../domain/stagger.ts'
import { corpusVersion, instruction, patterns, type Topic, topics } from './corpus.ts'

/** Where the text of prompts comes from: the nonce makes each run cold, the seed fixes the rest. */
export type PromptSource = {
  readonly nonce: string
  readonly seed: number
  /** The user's own text; `null`: the corpus. */
  readonly text: string | null
}

/**
 * The prompt that a spec asks for: a head that no other stream or run shares, the body cut to length, the instruction.
 * For one stream a longer prompt begins with the shorter one's head and body. Never shorter than head and instruction.
 */
export function promptText(source: PromptSource, { stream, cold, chars }: PromptSpec): string {
  const head = `[${source.nonce} ${cold === null ? `stream ${stream}` : `cold ${cold}`}]\n`
  const tail = `\n\n${instruction}`
  const bodyChars = chars - head.length - tail.length
  if (bodyChars <= 0) return head + instruction
  const body =
    source.text === null ? article(source.seed, stream, cold, bodyChars) : repeated(source.text, bodyChars)
  return head + body + tail
}

/** Identifies the prompts of a run, so that runs on other texts are not compared silently. */
export function promptSet(source: PromptSource): PromptSet {
  const content = source.text ?? JSON.stringify([topics, patterns])
  return {
    version: source.text === null ? corpusVersion : 'file',
    hash: createHash('sha256').update(content).update(instruction).digest('hex').slice(0, 16),
    nonce: source.nonce,
  }
}

/** `chars` characters of an article on the stream's topic: sentences without a short period, in paragraphs. */
function article(seed: number, stream: number, cold: number | null, chars: number): string {
  const random = seededRandom(
    seed * 2_654_435_761 + stream * 40_503 + (cold === null ? 0 : (cold + 1) * 97_001),
  )
  const subject = pick(topics, random)
  const parts = [`An account of ${subject.name}.`]
  let length = parts[0]?.length ?? 0
  for (let sentence = 1; length < chars; sentence++) {
    const text = (sentence % 7 === 0 ? '\n\n' : ' ') + fill(pick(patterns, random), subject, random)
    parts.push(text)
    length += text.length
  }
  return parts.join('').slice(0, chars)
}

function fill(pattern: string, { name, things, people, acts }: Topic, random: () => number): string {
  return pattern.replace(/\{(\w)\}/g, (_, slot: string) => {
    switch (slot) {
      case 'a':
      case 'b':
        return pick(things, random)
      case 'p':
      case 'q':
        return pick(people, random)
      case 'v':
      case 'w':
        return pick(acts, random)
      case 'y':
        return String(1620 + Math.floor(random() * 390))
      case 't':
        return name
      default:
        return String(2 + Math.floor(random() * 97))
    }
  })
}

function repeated(text: string, chars: number): string {
  // The cut may halve a surrogate pair, and a server may refuse the half.
  return text
    .repeat(Math.ceil(chars / text.length))
    .slice(0, chars)
    .toWellFormed()
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}
