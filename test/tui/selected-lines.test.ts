import { describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { selectedLines } from '../../src/tui/selected-lines.ts'
import type { Place } from '../../src/tui/selection.ts'
import { paint } from '../../src/tui/theme.ts'
import { scenes } from './scenes.ts'

function shown(scene: keyof typeof scenes, place: Place | null, width = 120, height = 2): readonly string[] {
  const script = scenes[scene]()
  return selectedLines(foldRun(script.events), place, script.at, { width, height }).map(line =>
    paint(line, { colours: 0, ascii: false }),
  )
}

const cell = (index: number): Place => ({ kind: 'cell', cell: index })

describe('the selected cell', () => {
  test('has its figures in one line and its verdict in the next', () => {
    const [figures, verdict] = shown('marks', cell(1))
    expect(figures).toMatch(
      /^8K × 4 {2}tok\/s 1,090 {2}per request 272\.\d {2}steps\/s .* {2}TTFT 117 ms {2}/,
    )
    expect(verdict).toBe('! invalid: the server still ran 2 other requests before the cell began')
  })

  test('has only whole figures: what has no room is left out', () => {
    for (let width = 20; width < 120; width++) {
      const [line = ''] = shown('marks', cell(1), width)
      expect(line.length).toBeLessThanOrEqual(width)
      expect(line).toMatch(/^8K × 4( {2}[a-zA-Z/]+( request)? [±\d.,]+( ms|%)?)*$/)
    }
  })

  test('on a single line has the first figures and the verdict', () => {
    const [line = '', ...more] = shown('marks', cell(2), 150, 1)
    expect(line).toMatch(
      /^8K × 16 {2}tok\/s 2,620 {2}per request 163\.\d {2}≈ requests queued: requests waited/,
    )
    expect(more).toEqual([])
  })

  test('on a single line does not repeat what the panel beneath says of the running one', () => {
    expect(shown('running', cell(26), 60, 1)).toEqual(['64K × 4  tok/s 912.0  per request 228.0  ► running'])
  })

  test('while it runs has what this moment tells, and what is being done', () => {
    expect(shown('running', cell(26))).toEqual([
      '64K × 4  tok/s 912.0  per request 228.0  ITL 4.4 ms  KV 27%  queued 0',
      '► running: measuring, 17 of 30 s',
    ])
  })

  test('that does not fit says what it needs of what is there, and why', () => {
    // 64K × 16: 16 × (65,536 + 4,096 + 4 draft tokens + a page of 1)
    expect(shown('running', cell(28))).toEqual([
      '64K × 16  KV cache needed 1,114,192 of 1,000,000',
      '× over capacity: the KV cache holds only 1,000,000 tokens',
    ])
  })

  test('that failed says with what, that was skipped that it was, that is to be done anew that it is', () => {
    expect(shown('marks', cell(4))[1]).toBe('✗ failed: HTTP 503: no room left')
    expect(shown('marks', cell(3))).toEqual(['8K × 64', '» skipped'])
    expect(shown('paused', cell(1))[1]).toBe('↻ valid')
  })

  test('that is still to come has no figures', () => {
    expect(shown('running', cell(27))).toEqual(['64K × 8', '· planned'])
  })
})

test('a prefill row has its speed and its TTFT', () => {
  expect(shown('running', { kind: 'prefill', row: 0 })).toEqual([
    'prefill 8K  tok/s 23.2K  TTFT 353 ms',
    'valid',
  ])
})

test('without anything selected, or without room, there is nothing', () => {
  expect(shown('connecting', null)).toEqual(['', ''])
  expect(shown('running', cell(26), 120, 0)).toEqual([])
})
