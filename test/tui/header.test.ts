import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { headerLine } from '../../src/tui/header.ts'
import { paint } from '../../src/tui/theme.ts'
import { sample } from '../domain/build.ts'
import { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

function shown(
  script: RunScript,
  { width = 100, laterMs = 0, trouble = null as string | null } = {},
): string {
  const line = headerLine(foldRun(script.events), script.at + laterMs, trouble, width)
  return paint(line, { colours: 0, ascii: false })
}

const running = () => scenes.running()
const counted = (script: RunScript, tokens: number | null) =>
  script.tell({ kind: 'server-sampled', sample: sample({ at: script.at, realtimeDecodeTokens: tokens }) })

test('a pause is announced until the cell has ended, then told, and gone when the run goes on', () => {
  expect(shown(running())).not.toContain('PAUS')
  const asked = running().tell({ kind: 'asked', ask: 'pause' })
  expect(shown(asked)).toContain(' PAUSING AFTER THIS CELL ')
  asked.run(13_000).close()
  expect(shown(asked)).toContain(' PAUSED ')
  expect(shown(asked.tell({ kind: 'asked', ask: 'resume' }))).not.toContain('PAUS')
})

test('a run that is to stop does not pause', () => {
  const script = running().tell({ kind: 'asked', ask: 'pause' }).tell({ kind: 'asked', ask: 'stop' })
  expect(shown(script)).not.toContain('PAUS')
})

test('a server whose counters fell was started anew, which is told with its age for a minute', () => {
  const script = new RunScript().begin()
  counted(counted(script, 500), null)
  expect(shown(script)).not.toContain('RESTARTED')
  counted(script.wait(1000), 20)
  expect(shown(script, { laterMs: 12_000 })).toContain(' SERVER RESTARTED 0:12 AGO ')
  expect(shown(script, { laterMs: 60_000 })).toContain('RESTARTED 1:00 AGO')
  expect(shown(script, { laterMs: 61_000 })).not.toContain('RESTARTED')
  counted(script.wait(1000), 40)
  expect(shown(script, { laterMs: 1000 })).toContain('RESTARTED 0:02 AGO')
})

test('what went wrong beside the run stands before all that may give way', () => {
  const trouble = 'RESULT NOT SAVED: ENOSPC\u001b[2J'
  expect(shown(running(), { trouble })).toContain(' RESULT NOT SAVED: ENOSPC ')
  expect(shown(running(), { trouble, width: 45 })).toContain(' RESULT NOT SAVED: ENOSPC ')
})

test('the engine gives way before the address, the address before the model', () => {
  expect(shown(running(), { width: 70 })).toMatch(/Qwen3.*sglang 0\.5\.9 · 127\.0\.0\.1:30000$/)
  expect(shown(running(), { width: 50 })).toMatch(/Qwen3\S+ +127\.0\.0\.1:30000$/)
  expect(shown(running(), { width: 35 }).trimEnd()).toMatch(/Qwen3\.5-35B-A3B$/)
})
