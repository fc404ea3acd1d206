import type { RequestTrace, TokenCounting, WindowShare } from '../domain/request-trace.ts'
import type { ChatChunk } from './chat-chunk.ts'
import type { FinalUsage } from './messages.ts'
import type { WindowCounter } from './window-counter.ts'

type MeteredShare = { -readonly [Name in keyof WindowShare]: WindowShare[Name] }
export type Metered = Pick<
  RequestTrace,
  'firstTokenAt' | 'lastTokenAt' | 'promptTokens' | 'cachedTokens' | 'outputTokens' | 'counting' | 'window'
>

/**
 * Counts the output tokens of one request as its chunks arrive. Usage in the chunks counts by its increase, with or
 * without text: a token may show none. Chunks without usage count as one each until a later usage, usually that at the
 * end, tells how many tokens they were.
 */
export class TokenMeter {
  firstTokenAt: number | null = null
  lastTokenAt: number | null = null
  /** What the usage told when it came late; `null`: it did not. */
  finalUsage: FinalUsage | null = null
  #tokens = 0
  #chunks = 0
  #promptTokens: number | null = null
  #cachedTokens: number | null = null
  #counting: TokenCounting = 'chunks'
  #window: MeteredShare | null = null

  /** Takes in one chunk that arrived at `at`; returns the tokens it added. */
  observe(at: number, chunk: ChatChunk, counter: WindowCounter | null): number {
    this.#promptTokens = chunk.promptTokens ?? this.#promptTokens
    this.#cachedTokens = chunk.cachedTokens ?? this.#cachedTokens
    const told = chunk.completionTokens
    if (told !== null && told > 0 && this.#counting === 'chunks' && this.#chunks > 0) {
      if (chunk.hasOutput) this.#arrived(at, null, counter)
      this.#settle(told, counter)
      return chunk.hasOutput ? 1 : 0
    }
    const increase = told === null ? 0 : Math.max(0, told - this.#tokens)
    if (!chunk.hasOutput && increase === 0) return 0
    if (increase > 0 && this.#counting === 'chunks') this.#counting = 'continuous-usage'
    const isCounted = increase > 0 || this.#counting === 'continuous-usage'
    this.#arrived(at, isCounted ? increase : null, counter)
    return isCounted ? increase : 1
  }

  result(): Metered {
    return {
      firstTokenAt: this.firstTokenAt,
      lastTokenAt: this.lastTokenAt,
      promptTokens: this.#promptTokens,
      cachedTokens: this.#cachedTokens,
      outputTokens: this.#tokens,
      counting: this.#counting,
      window: this.#window,
    }
  }

  /** A chunk with output; `told`: its tokens, `null` where they are not known yet. */
  #arrived(at: number, told: number | null, counter: WindowCounter | null): void {
    const tokens = told ?? 1
    if (counter?.holds(at)) {
      const last = this.lastTokenAt
      counter.count(at, told, last !== null && counter.holds(last) ? at - last : null)
      this.#share(at, tokens)
    }
    this.firstTokenAt ??= at
    this.lastTokenAt = at
    this.#tokens += tokens
    this.#chunks += 1
  }

  #share(at: number, tokens: number): void {
    if (this.#window === null) {
      this.#window = {
        firstAt: at,
        lastAt: at,
        chunks: 1,
        tokens,
        firstChunkTokens: tokens,
        longestGapMs: 0,
        tokensBefore: this.#tokens,
      }
      return
    }
    this.#window.longestGapMs = Math.max(this.#window.longestGapMs, at - this.#window.lastAt)
    this.#window.lastAt = at
    this.#window.chunks += 1
    this.#window.tokens += tokens
  }

  /** The usage came late: every chunk so far was worth the mean. */
  #settle(total: number, counter: WindowCounter | null): void {
    this.#counting = 'final-usage'
    this.finalUsage = { tokens: total, chunks: this.#chunks }
    const perChunk = total / this.#chunks
    counter?.learnFinalUsage(total, this.#chunks)
    this.#tokens = total
    if (this.#window === null) return
    this.#window.tokens *= perChunk
    this.#window.firstChunkTokens *= perChunk
    this.#window.tokensBefore *= perChunk
  }
}
