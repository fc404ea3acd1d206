import { describe, expect, test } from 'vitest'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { server } from './build.ts'
import { answered, brokenBy, busy, Desk, decode, streamed } from './desk.ts'

const notDrained = (running: number | null) => ({ kind: 'foreign-load', detail: 'not-drained', running })
/** The wait for an idle server is in vain. */
const disturbed = (desk: Desk) => {
  desk.wait(60_000).look({ running: 3, queued: 0 }).obey()
  if (desk.state.job?.phase === 'requests') desk.ended(answered('warm', 32_000, 8180))
  desk.open().wait(30_150).obey()
  desk.closed()
}

describe('a cell that is measured again', () => {
  const repeated = (repeat = 2) => new Desk({ ...decode(1), repeat }).calibrate()

  test('pools the requests of its passes', () => {
    const desk = repeated().measure()
    // 30 slices of 100 tokens
    expect(desk.cell(0)).toMatchObject({ summary: { windowSeconds: 30, outputTokens: 3000 } })
    desk.measure()
    expect(desk.cell(0)).toMatchObject({
      status: 'valid',
      attempts: 2,
      summary: { windowSeconds: 60, outputTokens: 6000 },
    })
  })

  test('keeps its earlier pass when the next one is skipped; what that one had is kept apart', () => {
    const desk = repeated().measure()
    const { summary } = desk.cell(0)
    desk.launch().open().wait(5100)
    desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
    desk.closed(desk.now)
    expect(desk.cell(0)).toMatchObject({ status: 'valid', reasons: [{ kind: 'few-samples' }], summary })
    expect(desk.cell(0).partial).toMatchObject({ windowSeconds: 5 })
  })

  test('stays invalid by what disturbed an earlier pass, whatever becomes of the later ones', () => {
    const later = repeated()
    disturbed(later)
    later.measure()
    expect(later.cell(0)).toMatchObject({
      status: 'invalid',
      reasons: [notDrained(3), { kind: 'few-samples' }],
    })

    const skipped = repeated()
    disturbed(skipped)
    skipped.idle()
    skipped.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
    skipped.closed(null)
    expect(skipped.cell(0)).toMatchObject({ status: 'invalid' })
    expect(skipped.cell(0).reasons).toContainEqual(notDrained(3))

    const failedBetween = repeated(3)
    disturbed(failedBetween)
    failedBetween.idle()
    failedBetween.ticks({ ended: [1, 2, 3].map(() => brokenBy(busy, 'launch')) }).obey()
    failedBetween.closed(null)
    expect(failedBetween.cell(0).reasons).toContainEqual({
      kind: 'pass-failed',
      message: 'HTTP 503: busy',
    })
    failedBetween.measure()
    expect(failedBetween.cell(0).status).toBe('invalid')
  })

  test('stands on the pass that was measured when another fails, and says so', () => {
    const desk = repeated().measure()
    desk.idle()
    desk.ticks({ ended: [1, 2, 3].map(() => brokenBy(busy, 'launch')) }).obey()
    desk.closed(null)
    expect(desk.cell(0)).toMatchObject({
      status: 'valid',
      summary: { windowSeconds: 30 },
    })
    expect(desk.cell(0).reasons).toContainEqual({ kind: 'pass-failed', message: 'HTTP 503: busy' })
  })
})

test('a server that does not tell what it runs is only said to be busy', () => {
  const desk = new Desk(decode(1)).calibrate()
  desk.wait(60_000).obey()
  desk.ended(answered('warm', 32_000, 8180))
  desk.open().wait(30_150).obey()
  desk.closed()
  expect(desk.cell(0).reasons).toContainEqual(notDrained(null))
})

test('a cell that may fill the KV cache is measured and says so, also when its second pass is skipped', () => {
  // at most 2 × (8192 + 4096 + 1) = 24578, on average 2 × (8192 + 2048) × 1.05 = 21504
  const limits = { ...unknownLimits, kvCacheTokens: 22_000 }
  const desk = new Desk({ ...decode(2), repeat: 2 }, server({ loads: true }, limits)).calibrate().measure()
  const tight = { kind: 'kv-tight', needed: 24_578, available: 22_000 }
  expect(desk.cell(0).reasons).toMatchObject([tight, { kind: 'few-samples' }])
  desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
  expect(desk.cell(0)).toMatchObject({ status: 'valid', reasons: [tight, { kind: 'few-samples' }] })
})

test('the figures of a cell are of the streams, not of the requests that warmed it', () => {
  const desk = new Desk(decode(1)).calibrate().launch().open()
  const window = desk.state.job?.window
  if (!window) throw new Error('a window was announced')
  desk.wait(30_150).obey()
  desk.closed(window.to, [streamed(window, { promptTokens: 8190 })])
  expect(desk.cell(0).summary).toMatchObject({
    promptTokens: { mean: 8190, min: 8190, max: 8190 },
    requests: { started: 1, cutOff: 1 },
    ttftMs: { source: 'launch', headline: 100 },
  })
  expect(desk.cell(0).passes[0]?.traces).toHaveLength(1)
})

test('where the server tells no prompt tokens, rows and cells say that their lengths are not known', () => {
  const desk = new Desk({ prefillContexts: [8192], contexts: [8192], concurrency: [1] })
  desk.obey()
  desk.idle()
  desk.ended(answered('calibrate', 1980, null), answered('calibrate', 23_980, null))
  desk.idle()
  desk.ended(answered('warm', 32_000, null))
  for (const ttftMs of [300, 301]) desk.ended(answered('prefill', 32_000, null, ttftMs))
  desk.measure()
  expect(desk.state.prefill[0]?.reasons).toEqual([{ kind: 'prompt-length-unknown' }])
  expect(desk.cell(0).reasons).toContainEqual({ kind: 'prompt-length-unknown' })
})

describe('a prefill row', () => {
  const rows = () => new Desk({ prefillContexts: [8192], phases: 'prefill' }).calibrate()

  test('beside which the server made tokens for someone else is invalid', () => {
    const desk = new Desk({ prefillContexts: [131_072], phases: 'prefill' }).calibrate()
    desk.look({ running: 0, queued: 0, realtimeDecodeTokens: 0 }).obey()
    desk.wait(5000).look({ running: 3, realtimeDecodeTokens: 900 })
    desk.ended(answered('prefill', 500_000, 131_000))
    expect(desk.state.prefill[0]).toMatchObject({
      status: 'invalid',
      reasons: [{ kind: 'foreign-load', detail: 'tokens' }],
    })
  })

  test('that is skipped half way keeps the samples that it has', () => {
    const desk = rows()
    desk.idle()
    desk.ended(answered('warm', 32_000, 8180))
    desk.ended(answered('prefill', 32_000, 8000, 320))
    desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
    desk.closed()
    expect(desk.state.prefill[0]).toMatchObject({ status: 'skipped', summary: { ttftMs: 320 } })
  })

  test('without a sample has failed, and says why, also on a busy server', () => {
    const desk = rows()
    desk.tell({ kind: 'drain-ended', drained: false })
    desk.tell({ kind: 'job-ended', outcome: { kind: 'done' } })
    expect(desk.state.prefill[0]).toMatchObject({
      status: 'failed',
      summary: null,
      reasons: [{ kind: 'no-tokens' }],
    })
  })
})
