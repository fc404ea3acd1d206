import { describe, expect, test } from 'vitest'
import { nextStep } from '../../src/domain/next-step.ts'
import { initialState } from '../../src/domain/run-state.ts'
import { unknownLimits } from '../../src/domain/server-facts.ts'
import { bare, refused, server } from './build.ts'
import { answered, brokenBy, busy, Desk, decode } from './desk.ts'

describe('a run from its start to its end', () => {
  test('learns prompt lengths, reads prompts, measures cells, and sees the server idle before it ends', () => {
    const desk = new Desk({ contexts: [8192], concurrency: [2] })
    expect(desk.obey()).toEqual(['start calibrate'])
    expect(desk.idle()).toEqual(['drained', 'send 2 calibrate'])
    expect(desk.ended(answered('calibrate', 2000, 520), answered('calibrate', 24_000, 6020))).toEqual([
      'done',
      'start prefill 0',
    ])

    expect(desk.idle()).toEqual(['drained', 'send 1 warm'])
    expect(desk.ended(answered('warm', 32_000, 8180, 900))).toEqual(['send 1 prefill'])
    expect(desk.ended(answered('prefill', 32_000, 8000, 300))).toEqual(['send 1 prefill'])
    expect(desk.ended(answered('prefill', 32_000, 8000, 310))).toEqual(['done', 'start cell 0'])

    expect(desk.idle()).toEqual(['drained', 'send 2 warm'])
    expect(desk.ended(answered('warm', 32_000, 8180), answered('warm', 32_000, 8180))).toEqual(['launch 2'])
    expect(desk.latch()).toEqual(['settle'])
    expect(desk.wait(999).obey()).toEqual([])
    expect(desk.wait(1).obey()).toEqual(['open-window'])
    expect(desk.wait(100 + 30_000 + 49).obey()).toEqual([])
    expect(desk.wait(1).obey()).toEqual(['close'])
    expect(desk.closed()).toEqual(['done', 'start final-drain'])

    expect(desk.idle()).toEqual(['drained', 'done', 'run completed'])
    expect(desk.state.prefill.map(({ status }) => status)).toEqual(['valid'])
    expect(desk.state.cells.map(({ status }) => status)).toEqual(['valid'])
    expect(desk.state).toMatchObject({ job: null, drainedAtEnd: true, ending: { kind: 'completed' } })
  })

  test('waits for the server to be known, and needs no requests when there is nothing to measure', () => {
    expect(nextStep(initialState, 0)).toMatchObject({ do: 'wait' })
    const nothing = new Desk(
      { contexts: [8192], concurrency: [64] },
      server({ loads: true }, { ...unknownLimits, contextTokens: 4096 }),
    )
    expect(nothing.obey()).toEqual(['run completed'])
    expect(nothing.state.cells.map(({ status }) => status)).toEqual(['over-capacity'])
  })

  test('measures what does not fit only when forced', () => {
    const limits = { ...unknownLimits, maxRunningRequests: 1 }
    const run = { contexts: [8192], concurrency: [1, 2], phases: 'decode' } as const
    const desk = new Desk(run, server({ loads: true }, limits))
    desk.calibrate().measure()
    expect(desk.state.cells.map(({ status }) => status)).toEqual(['valid', 'over-capacity'])
    expect(desk.state.job?.target.kind).toBe('final-drain')

    const forced = new Desk({ ...run, force: true }, server({ loads: true }, limits))
    forced.calibrate().measure().measure()
    expect(forced.state.cells.map(({ status }) => status)).toEqual(['valid', 'valid'])
  })

  test('on a server without metrics waits for nothing but its own requests', () => {
    const desk = new Desk(decode(1), server(bare))
    expect(desk.obey()).toEqual(['start calibrate', 'drained', 'send 2 calibrate'])
    expect(desk.ended(answered('calibrate', 2000, null), answered('calibrate', 24_000, null))).toEqual([
      'done',
      'start cell 0',
      'drained',
      'send 1 warm',
    ])
    expect(desk.ended(answered('warm', 32_000, null))).toEqual(['launch 1'])
    expect(desk.ticks({ started: 1 }).obey()).toEqual(['settle'])
    desk.wait(1000).obey()
    desk.wait(30_150).obey()
    expect(desk.closed()).toEqual(['done', 'start final-drain', 'drained', 'done', 'run completed'])
    expect(desk.state.cells[0]?.status).toBe('valid')
  })

  test('looks about 30 times at the server in a window, where a look is cheap', () => {
    const paceIn = (durationSeconds: number, loads: boolean) => {
      const desk = new Desk({ ...decode(1), durationSeconds }, server({ loads, metrics: true }))
        .calibrate()
        .launch()
      desk.latch()
      desk.wait(1000).obey()
      const step = desk.step()
      return step.do === 'wait' ? step.sampleEveryMs : null
    }
    expect(paceIn(30, true)).toBe(1000)
    expect(paceIn(12, true)).toBe(400)
    expect(paceIn(2, true)).toBe(200)
    expect(paceIn(2, false)).toBe(1000)
  })

  test('looks at the server five times as often while a decision waits for it', () => {
    const desk = new Desk(decode(1))
    const pace = () => {
      const step = desk.step()
      return step.do === 'wait' ? step.sampleEveryMs : null
    }
    desk.obey()
    expect(pace()).toBe(200)
    desk.idle()
    expect(pace()).toBe(1000)
    desk.ended(answered('calibrate', 2000, 520), answered('calibrate', 24_000, 6020))
    expect(pace()).toBe(200)
    desk.launch()
    expect(pace()).toBe(200)
    desk.latch()
    expect(pace()).toBe(1000)
    desk.wait(1000).obey()
    expect(pace()).toBe(1000)
  })
})

describe('a server that does not become idle', () => {
  const running = (desk: Desk, ms: number) => desk.wait(ms).look({ running: 3, queued: 0 }).obey()

  test('is waited for 60 s once, then 5 s for each later cell; the cells are measured and invalid', () => {
    const desk = new Desk(decode(1, 2)).calibrate()
    expect(running(desk, 59_999)).toEqual([])
    expect(running(desk, 1)).toEqual(['not drained', 'send 1 warm'])
    desk.ended(answered('warm', 32_000, 8180))
    desk.open().wait(30_150).obey()
    desk.closed()
    expect(desk.state.cells[0]).toMatchObject({ status: 'invalid' })
    expect(running(desk, 4999)).toEqual([])
    expect(running(desk, 1)).toEqual(['not drained', 'send 1 warm'])
  })

  test('is told by what it ran before the cell began, not by the streams of the cell itself', () => {
    const desk = new Desk(decode(8)).calibrate()
    running(desk, 60_000)
    desk.ended(...Array.from({ length: 8 }, () => answered('warm', 32_000, 8180)))
    desk.open().wait(30_150).look({ running: 11, queued: 0 }).obey()
    desk.closed()
    expect(desk.state.cells[0]?.reasons).toContainEqual({
      kind: 'foreign-load',
      detail: 'not-drained',
      running: 3,
    })
  })

  test('is waited for as long as asked, and no longer than 5 s after the first time', () => {
    const desk = new Desk({ ...decode(1, 2), drainTimeoutSeconds: 2 }).calibrate()
    expect(running(desk, 2000)).toEqual(['not drained', 'send 1 warm'])
    desk.ended(answered('warm', 32_000, 8180))
    desk.open().wait(30_150).obey()
    desk.closed()
    expect(running(desk, 2000)).toEqual(['not drained', 'send 1 warm'])
  })

  test('makes a prefill row invalid', () => {
    const desk = new Desk({ prefillContexts: [131_072], phases: 'prefill' }).calibrate()
    running(desk, 60_000)
    desk.ended(answered('prefill', 500_000, 131_000, 8000))
    expect(desk.state.prefill[0]).toMatchObject({
      status: 'invalid',
      summary: { ttftMs: 8000 },
      reasons: [{ kind: 'foreign-load', detail: 'not-drained', running: 3 }],
    })
  })

  test('at the end of the run is told', () => {
    const desk = new Desk(decode(1)).calibrate().measure()
    expect(running(desk, 60_000)).toEqual(['not drained', 'done', 'run completed'])
    expect(desk.state.drainedAtEnd).toBe(false)
  })
})

describe('repeated cells', () => {
  test('are spread over the run: every cell once, then every cell again', () => {
    const desk = new Desk({ contexts: [8192, 16_384], concurrency: [1, 2], phases: 'decode', repeat: 3 })
    desk.calibrate()
    const order: string[] = []
    for (let pass = 0; pass < 12; pass++) {
      order.push(desk.state.job?.target.kind === 'cell' ? String(desk.state.job.target.cell) : '')
      desk.measure()
    }
    expect(order.join('')).toBe('012301230123')
    expect(desk.state.job?.target.kind).toBe('final-drain')
    expect(desk.state.cells.map(({ summary }) => summary?.windowSeconds)).toEqual([90, 90, 90, 90])
  })

  test('are not measured again when they were skipped, and are when they failed', () => {
    const desk = new Desk({ ...decode(1, 2), repeat: 2 }).calibrate()
    desk.tell({ kind: 'asked', ask: 'skip-cell' }).obey()
    desk.idle()
    desk.ended(brokenBy(busy), brokenBy(busy))
    // the first cell was skipped, the second failed: it is the only one to come again
    expect(desk.state.job?.target).toEqual({ kind: 'cell', cell: 1 })
    desk.measure()
    expect(desk.state.cells.map(({ status }) => status)).toEqual(['skipped', 'valid'])
    expect(desk.state.job?.target.kind).toBe('final-drain')
  })
})

describe('failures that end a run', () => {
  test('are two jobs in a row that cannot connect', () => {
    const desk = new Desk({ prefillContexts: [8192, 16_384, 32_768], phases: 'prefill' }).calibrate()
    desk.idle()
    expect(desk.ended(brokenBy(refused))).toEqual(['failed', 'start prefill 1'])
    desk.idle()
    expect(desk.ended(brokenBy(refused))).toEqual(['failed', 'run aborted'])
    expect(desk.state.ending).toMatchObject({ message: 'could not connect: ECONNREFUSED' })
    expect(desk.state.prefill.map(({ status }) => status)).toEqual(['failed', 'failed', 'planned'])
  })

  test('are not two with something else between them', () => {
    const desk = new Desk({ prefillContexts: [8192, 16_384, 32_768, 65_536], phases: 'prefill' }).calibrate()
    desk.idle()
    desk.ended(brokenBy(refused))
    desk.idle()
    desk.ended(brokenBy(busy))
    desk.idle()
    expect(desk.ended(brokenBy(refused))).toEqual(['failed', 'start prefill 3'])
  })

  test('are not errors that the server answers, however many', () => {
    const desk = new Desk(decode(1, 2, 4)).calibrate()
    for (const streams of [1, 2, 4]) {
      desk.idle()
      desk.ended(...Array.from({ length: streams }, () => brokenBy(busy)))
    }
    expect(desk.idle()).toEqual(['drained', 'done', 'run completed'])
    expect(desk.state.cells.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
  })
})
