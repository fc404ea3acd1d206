import { describe, expect, test } from 'vitest'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { server } from './build.ts'
import { answered, brokenBy, busy, Desk, decode } from './desk.ts'

describe('calibration', () => {
  test('sends two cold prompts of different length, one after the other', () => {
    const desk = new Desk(decode(1))
    desk.obey()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.step()).toMatchObject({ do: 'send', atOnce: 1 })
    expect(desk.sending().map(({ prompt, maxTokens }) => [prompt.cold, maxTokens])).toEqual([
      [0, 8],
      [1, 8],
    ])
  })

  test('makes the prompts that follow as long as they should be', () => {
    // 1980 chars are 500 tokens, 23980 are 6000: 4 chars a token and 5 tokens beside; (8192 × 0.9975 - 5) × 4
    const desk = new Desk(decode(1)).calibrate()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.sending().map(({ prompt }) => prompt)).toEqual([{ stream: 0, cold: null, chars: 32_666 }])
  })

  test('asks a server that tells tokens only at the end for more of them: what a chunk is worth', () => {
    const desk = new Desk(decode(1))
    desk.obey()
    desk.idle()
    const told = (chars: number, tokens: number) =>
      ({ ...answered('calibrate', chars, tokens), counting: 'final-usage' }) as const
    desk.tell({ kind: 'requests-ended', traces: [told(2000, 500), told(24_000, 6000)] })
    expect(desk.sending()).toMatchObject([{ purpose: 'warm', maxTokens: 64, prompt: { cold: 2 } }])
    const fit = desk.state.promptFit
    desk.obey()
    expect(desk.ended(answered('warm', 2000, 500))).toEqual(['done', 'start cell 0'])
    expect(desk.state.promptFit).toBe(fit)
  })

  test('that fails ends the run: nothing can be measured', () => {
    const desk = new Desk(decode(1))
    desk.obey()
    desk.idle()
    expect(desk.ended(brokenBy(busy, 'calibrate'), brokenBy(busy, 'calibrate'))).toEqual([
      'failed',
      'run aborted',
    ])
    expect(desk.state.ending).toMatchObject({ kind: 'aborted', message: 'HTTP 503: busy' })
    expect(desk.state.cells[0]?.status).toBe('planned')
  })

  test('of which one request fails goes on', () => {
    const desk = new Desk(decode(1))
    desk.obey()
    desk.idle()
    expect(desk.ended(brokenBy(busy, 'calibrate'), answered('calibrate', 24_000, 6020))).toEqual([
      'done',
      'start cell 0',
    ])
    // the one that was answered tells: (6020 - 10) / 24,000
    expect(desk.state.promptFit?.tokensPerChar).toBeCloseTo((6020 - 10) / 24_000, 12)
  })
})

describe('a prefill row', () => {
  const rows = (...prefillContexts: readonly number[]) =>
    new Desk({ prefillContexts, phases: 'prefill' }).calibrate()
  const long = 131_072

  test('sends a new text each time, one output token long', () => {
    const desk = rows(8192)
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    // calibration used the cold texts 0 and 1
    expect(desk.sending()).toMatchObject([{ purpose: 'warm', maxTokens: 1, prompt: { cold: 2 } }])
    desk.obey()
    desk.tell({ kind: 'requests-ended', traces: [answered('warm', 32_000, 8180)] })
    expect(desk.sending()).toMatchObject([{ purpose: 'prefill', maxTokens: 1, prompt: { cold: 3 } }])
  })

  test('of a long context has no warm-up and one sample', () => {
    const desk = rows(long)
    expect(desk.idle()).toEqual(['drained', 'send 1 prefill'])
    expect(desk.ended(answered('prefill', 500_000, 131_000, 8000))).toEqual(['done', 'start final-drain'])
    expect(desk.state.prefill[0]).toMatchObject({ status: 'valid', summary: { ttftMs: 8000 } })
  })

  test('takes a third sample when two differ', () => {
    const desk = rows(8192)
    desk.idle()
    desk.ended(answered('warm', 32_000, 8180))
    desk.ended(answered('prefill', 32_000, 8000, 300))
    expect(desk.ended(answered('prefill', 32_000, 8000, 400))).toEqual(['send 1 prefill'])
    expect(desk.ended(answered('prefill', 32_000, 8000, 310))).toEqual(['done', 'start final-drain'])
    expect(desk.state.prefill[0]?.summary).toMatchObject({ ttftMs: 310 })
  })

  test('whose warm-up fails has failed, and the next row is measured', () => {
    const desk = rows(8192, 16_384)
    desk.idle()
    expect(desk.ended(brokenBy(busy))).toEqual(['failed', 'start prefill 1'])
    expect(desk.state.prefill[0]).toMatchObject({
      status: 'failed',
      reasons: [{ kind: 'failed', message: 'HTTP 503: busy' }],
    })
  })

  test('tries a failed sample once more', () => {
    const desk = rows(8192)
    desk.idle()
    desk.ended(answered('warm', 32_000, 8180))
    expect(desk.ended(brokenBy(busy, 'prefill'))).toEqual(['send 1 prefill'])
    expect(desk.ended(answered('prefill', 32_000, 8000))).toEqual(['send 1 prefill'])
    expect(desk.ended(answered('prefill', 32_000, 8000))).toEqual(['done', 'start final-drain'])
    expect(desk.state.prefill[0]?.status).toBe('valid')
  })

  test('whose samples fail twice has failed, though its warm-up went well: it does not try for ever', () => {
    const desk = rows(8192)
    desk.idle()
    desk.ended(answered('warm', 32_000, 8180))
    desk.ended(brokenBy(busy, 'prefill'))
    expect(desk.ended(brokenBy(busy, 'prefill'))).toEqual(['failed', 'start final-drain'])
    expect(desk.state.prefill[0]).toMatchObject({ status: 'failed', summary: null })
  })

  test('whose answers hold no token has failed too: it does not try for ever', () => {
    const desk = rows(long)
    desk.idle()
    const silent = answered('prefill', 500_000, 131_000, null)
    expect(desk.ended(silent)).toEqual(['send 1 prefill'])
    expect(desk.ended(silent)).toEqual(['failed', 'start final-drain'])
    expect(desk.state.prefill[0]?.reasons).toEqual([
      { kind: 'failed', message: 'unexpected answer: the answers held no output token' },
    ])
  })
})

describe('warming', () => {
  test('sends each prompt that the server has not seen once, few at a time, one output token long', () => {
    const desk = new Desk(decode(8)).calibrate()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.step()).toMatchObject({ do: 'send', atOnce: 4 })
    expect(desk.sending().map(({ prompt }) => prompt.stream)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(new Set(desk.sending().map(({ purpose, maxTokens }) => `${purpose} ${maxTokens}`))).toEqual(
      new Set(['warm 1']),
    )
  })

  test('of the next cell of a row adds only the streams that are new', () => {
    const desk = new Desk(decode(1, 2, 8)).calibrate().measure()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.sending().map(({ prompt }) => prompt.stream)).toEqual([1])
    desk.measure()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.sending().map(({ prompt }) => prompt.stream)).toEqual([2, 3, 4, 5, 6, 7])
  })

  test('touches the earlier prompts first when the server may have evicted them, with prompts of their own', () => {
    // 2 prompts of 8192 are more than 16,383 tokens
    const streams = (kvCacheTokens: number, change = {}) => {
      const limits = { ...unknownLimits, kvCacheTokens }
      const desk = new Desk({ ...decode(2, 4), force: true, ...change }, server({ loads: true }, limits))
      desk.calibrate().measure()
      desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
      return desk.sending().map(({ prompt }) => prompt.stream)
    }
    expect(streams(16_384)).toEqual([2, 3])
    expect(streams(16_383)).toEqual([0, 1, 2, 3])
    expect(streams(16_384, { kvBudgetTokens: 16_383 })).toEqual([0, 1, 2, 3])
  })

  test('that touched earlier prompts counts only the new ones as new', () => {
    const limits = { ...unknownLimits, kvCacheTokens: 16_383 }
    const desk = new Desk({ ...decode(2, 4), force: true }, server({ loads: true }, limits))
    desk.calibrate().measure()
    desk.idle()
    const warmed = Array.from({ length: 4 }, () => answered('warm', 32_000, 8180))
    expect(desk.ended(...warmed)).toEqual(['launch 4'])
    expect(desk.state.warmedStreams).toEqual({ 8192: 4 })
  })

  test('warms all once more when an earlier prompt turned out to be gone, but only once', () => {
    const limits = { ...unknownLimits, kvCacheTokens: 16_383 }
    const desk = new Desk({ ...decode(2, 4), force: true }, server({ loads: true }, limits))
    desk.calibrate().measure()
    desk.idle()
    const touched = (cachedTokens: number) =>
      [0, 1, 2, 3].map(stream => ({
        ...answered('warm', 32_000, 8180),
        stream,
        cachedTokens: stream < 2 ? cachedTokens : 0,
      }))
    // 8180 - 7600 tokens are more than the 512 that are normal
    expect(desk.ended(...touched(7600))).toEqual(['send 4 warm'])
    expect(desk.ended(...touched(0))).toEqual(['launch 4'])
    expect(desk.state.warmedStreams).toEqual({ 8192: 4 })
  })

  test('does not warm anew what was still there', () => {
    const limits = { ...unknownLimits, kvCacheTokens: 16_383 }
    const desk = new Desk({ ...decode(2, 4), force: true }, server({ loads: true }, limits))
    desk.calibrate().measure()
    desk.idle()
    const touched = [0, 1, 2, 3].map(stream => ({
      ...answered('warm', 32_000, 8180),
      stream,
      cachedTokens: stream < 2 ? 8100 : 0,
    }))
    expect(desk.ended(...touched)).toEqual(['launch 4'])
  })

  test('of the next row begins anew', () => {
    const desk = new Desk({ contexts: [8192, 16_384], concurrency: [2], phases: 'decode' })
    desk.calibrate().measure()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.sending().map(({ prompt }) => prompt.stream)).toEqual([0, 1])
  })

  test('of shared prompts sends the one prompt, once for a row', () => {
    const desk = new Desk({ ...decode(4, 8), prompts: 'shared' }).calibrate()
    expect(desk.idle()).toEqual(['drained', 'send 1 warm'])
    expect(desk.ended(answered('warm', 32_000, 8180))).toEqual(['launch 4'])
    desk.open().wait(30_150).obey()
    desk.closed()
    expect(desk.idle()).toEqual(['drained', 'launch 8'])
  })

  test('that fails for every prompt fails the cell, not the run', () => {
    const desk = new Desk(decode(2, 4)).calibrate()
    desk.idle()
    expect(desk.ended(brokenBy(busy), brokenBy(busy))).toEqual(['failed', 'start cell 1'])
    expect(desk.state.cells[0]).toMatchObject({
      status: 'failed',
      summary: null,
      reasons: [{ kind: 'failed', message: 'HTTP 503: busy' }],
    })
  })

  test('that fails for some prompts is not repeated: the launch shows what becomes of them', () => {
    const desk = new Desk(decode(2)).calibrate()
    desk.idle()
    expect(desk.ended(brokenBy(busy), answered('warm', 32_000, 8180))).toEqual(['launch 2'])
  })
})

describe('prompts of a cell', () => {
  const warmedWith = (...tokens: readonly number[]) =>
    tokens.map((count, stream) => ({ ...answered('warm', 32_000, count), stream }))

  test('that miss their length are sent again with the right one, twice at most', () => {
    const desk = new Desk(decode(2)).calibrate()
    desk.idle()
    expect(desk.ended(...warmedWith(8180, 8400))).toEqual(['send 1 warm'])
    expect(desk.ended({ ...answered('warm', 31_000, 8300), stream: 1 })).toEqual(['send 1 warm'])
    expect(desk.ended({ ...answered('warm', 30_500, 8250), stream: 1 })).toEqual(['launch 2'])
  })

  test('that were corrected are sent at the length that fitted', () => {
    const desk = new Desk(decode(1)).calibrate()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    const [first] = desk.sending()
    desk.obey()
    desk.tell({ kind: 'requests-ended', traces: warmedWith(8400) })
    const [second] = desk.sending()
    expect(second?.prompt.chars).toBeLessThan(first?.prompt.chars ?? 0)
    desk.obey()
    desk.tell({ kind: 'requests-ended', traces: [answered('warm', second?.prompt.chars ?? 0, 8170)] })
    expect(desk.launching().streams[0]?.prompt).toEqual(second?.prompt)
  })

  test('that were corrected are not counted twice as warm', () => {
    const desk = new Desk(decode(1, 2)).calibrate()
    desk.idle()
    desk.ended(...warmedWith(8400))
    desk.ended(answered('warm', 31_000, 8180))
    desk.open().wait(30_150).obey()
    desk.closed()
    desk.look({ running: 0, queued: 0 }).tell({ kind: 'drain-ended', drained: true })
    expect(desk.sending().map(({ prompt }) => prompt.stream)).toEqual([1])
  })
})
