import { describe, expect, test } from 'vitest'
import { answered, Desk, decode } from './desk.ts'

describe('a cell that the operator skips', () => {
  const skip = (desk: Desk) => desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
  const started = () => new Desk(decode(2, 4)).calibrate()
  const skipped = (desk: Desk) =>
    expect(desk.state.cells[0]).toMatchObject({ status: 'skipped', summary: null })

  test('while the server is waited for is left at once', () => {
    const desk = started()
    expect(skip(desk)).toEqual(['skipped', 'start cell 1'])
    skipped(desk)
  })

  test('while its prompts are warmed is left when the requests are closed', () => {
    const desk = started()
    desk.idle()
    expect(skip(desk)).toEqual(['close'])
    expect(desk.ended(answered('warm', 32_000, 8180))).toEqual([])
    expect(desk.closed()).toEqual(['skipped', 'start cell 1'])
    skipped(desk)
  })

  test('just when its requests have ended is left at once', () => {
    const desk = started()
    desk.idle()
    desk.tell({ kind: 'requests-ended', traces: [answered('warm', 32_000, 8180)] })
    expect(skip(desk)).toEqual(['skipped', 'start cell 1'])
    skipped(desk)
  })

  test('at its launch, or while it settles, is left when the streams are closed', () => {
    const launched = started().launch()
    expect(skip(launched)).toEqual(['close'])
    expect(launched.closed()).toEqual(['skipped', 'start cell 1'])
    skipped(launched)

    const settling = started().launch()
    settling.latch()
    expect(skip(settling)).toEqual(['close'])
    expect(settling.closed()).toEqual(['skipped', 'start cell 1'])
    skipped(settling)
  })

  test('before its announced window opens has nothing', () => {
    const desk = started().launch().open()
    expect(skip(desk)).toEqual(['close'])
    expect(desk.closed(null)).toEqual(['skipped', 'start cell 1'])
    skipped(desk)
    expect(desk.state.cells[0]?.partial).toBe(null)
  })

  test('in its window keeps apart what it had', () => {
    const desk = started().launch().open().wait(10_100)
    expect(skip(desk)).toEqual(['close'])
    expect(desk.closed(desk.now)).toEqual(['skipped', 'start cell 1'])
    skipped(desk)
    expect(desk.state.cells[0]?.partial).toMatchObject({ windowSeconds: 10, outputTokens: 1000 })
  })

  test('after its window reached its end counts all the same', () => {
    const early = started()
      .launch()
      .open()
      .wait(100 + 30_000 + 10)
    expect(skip(early)).toEqual(['close'])
    expect(early.closed()).toEqual(['done', 'start cell 1'])

    const late = started().launch().open().wait(30_150)
    late.obey()
    expect(skip(late)).toEqual([])
    expect(late.closed()).toEqual(['done', 'start cell 1'])
    expect(late.state.cells[0]?.status).toBe('valid')
  })

  test('does not concern the next one', () => {
    const desk = started()
    skip(desk)
    expect(desk.idle()).toEqual(['drained', 'send 4 warm'])
  })

  test('can be a prefill row', () => {
    const desk = new Desk({ prefillContexts: [8192, 16_384], phases: 'prefill' }).calibrate()
    desk.idle()
    expect(skip(desk)).toEqual(['close'])
    expect(desk.closed()).toEqual(['skipped', 'start prefill 1'])
    expect(desk.state.prefill.map(({ status }) => status)).toEqual(['skipped', 'running'])
  })

  test('cannot be the calibration: every prompt length follows from it', () => {
    const desk = new Desk(decode(1))
    desk.obey()
    expect(skip(desk)).toEqual([])
    desk.idle()
    expect(skip(desk)).toEqual([])
  })

  test('cannot be the last look at the server', () => {
    const desk = new Desk(decode(1)).calibrate().measure()
    expect(skip(desk)).toEqual([])
    expect(desk.idle()).toEqual(['drained', 'done', 'run completed'])
  })
})

describe('a run that is to stop', () => {
  const stop = (desk: Desk) => desk.tell({ kind: 'asked', ask: 'stop' }).obey()
  const started = () => new Desk(decode(2, 4)).calibrate()
  const leave = ['interrupted', 'start final-drain']

  test('before its first request ends at once', () => {
    const desk = new Desk(decode(1))
    expect(stop(desk)).toEqual(['run stopped'])
    const waiting = new Desk(decode(1))
    waiting.obey()
    expect(stop(waiting)).toEqual(['interrupted', 'run stopped'])
  })

  test('closes what is under way in any phase, sees the server idle, and ends', () => {
    const phases = {
      drain: started(),
      warming: started(),
      launch: started().launch(),
      settling: started().launch(),
      announced: started().launch().open(),
    }
    phases.warming.idle()
    phases.settling.latch()
    for (const [phase, desk] of Object.entries(phases)) {
      if (phase === 'drain') expect(stop(desk)).toEqual(leave)
      else {
        expect(stop(desk)).toEqual(['close'])
        expect(desk.closed(null)).toEqual(leave)
      }
      expect(desk.idle()).toEqual(['drained', 'done', 'run stopped'])
      expect(desk.state.cells.map(({ status }) => status)).toEqual(['not-run', 'planned'])
    }
  })

  test('keeps apart what the window had so far', () => {
    const desk = started().launch().open().wait(20_100)
    stop(desk)
    expect(desk.closed(desk.now)).toEqual(leave)
    expect(desk.state.cells[0]).toMatchObject({
      status: 'not-run',
      summary: null,
      partial: { windowSeconds: 20, outputTokens: 2000 },
    })
  })

  test('counts a window that had reached its end', () => {
    const desk = started()
      .launch()
      .open()
      .wait(100 + 30_000)
    expect(stop(desk)).toEqual(['close'])
    expect(desk.closed()).toEqual(['done', 'start final-drain'])
    expect(desk.state.cells[0]).toMatchObject({ status: 'valid', partial: null })
    expect(desk.idle()).toEqual(['drained', 'done', 'run stopped'])
  })

  test('stops in the calibration and in a prefill row too', () => {
    const calibrating = new Desk(decode(1))
    calibrating.obey()
    calibrating.idle()
    expect(stop(calibrating)).toEqual(['close'])
    expect(calibrating.closed()).toEqual(leave)

    const reading = new Desk({ prefillContexts: [8192], phases: 'prefill' }).calibrate()
    reading.idle()
    reading.ended(answered('warm', 32_000, 8180))
    expect(stop(reading)).toEqual(['close'])
    expect(reading.closed()).toEqual(leave)
    expect(reading.state.prefill[0]?.status).toBe('not-run')
  })

  test('waits no longer than 5 s for the server', () => {
    const desk = started().launch()
    stop(desk)
    desk.closed()
    expect(desk.wait(4999).look({ running: 1, queued: 0 }).obey()).toEqual([])
    expect(desk.wait(1).look({ running: 1, queued: 0 }).obey()).toEqual([
      'not drained',
      'done',
      'run stopped',
    ])
  })

  test('while it waits for the server at the end stops waiting after 5 s', () => {
    const desk = new Desk(decode(1)).calibrate().measure()
    desk.wait(3000).look({ running: 1, queued: 0 })
    expect(stop(desk)).toEqual([])
    expect(desk.wait(2000).obey()).toEqual(['not drained', 'done', 'run stopped'])
  })

  test('goes before skipping', () => {
    const desk = started().launch()
    desk.tell({ kind: 'asked', ask: 'skip-cell' })
    expect(stop(desk)).toEqual(['close'])
    expect(desk.closed()).toEqual(leave)
  })
})
