import { describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { textWidth } from '../../src/format/text-width.ts'
import type { Area } from '../../src/tui/layout.ts'
import { longText } from '../../src/tui/long-text.ts'
import { scrolledLines } from '../../src/tui/scrolled.ts'
import type { Place } from '../../src/tui/selection.ts'
import { serverViewLines } from '../../src/tui/server-view.ts'
import { fitLine, type Line } from '../../src/tui/span.ts'
import { paint } from '../../src/tui/theme.ts'
import { initialUi, type UiState } from '../../src/tui/ui-state.ts'
import type { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

type View = (script: RunScript, area: Area) => readonly Line[]

const state = ({ events }: RunScript) => foldRun(events)
const text =
  (ui: Partial<UiState>): View =>
  (script, area) => {
    const shown = longText(state(script), { ...initialUi, ...ui }, script.at, null, area)
    return shown === null ? [] : scrolledLines(shown, ui.scroll ?? 0, area)
  }
const cellOf = (index: number, scroll = 0): View =>
  text({ view: 'cell', selected: { kind: 'cell', cell: index }, scroll })
const server: View = (script, area) => serverViewLines(state(script), script.at, area)
const prefill = text({ view: 'cell', selected: { kind: 'prefill', row: 2 } })
const explanation = text({ overlay: 'explain', selected: { kind: 'cell', cell: 2 } })

const running = scenes.running()
const marks = scenes.marks()
const liveIndex = running.fitting()[20] ?? 0

/** Name of the frame, the run at a moment, what is shown of it. */
const frames: readonly (readonly [string, RunScript, View])[] = [
  ['cell-live', running, cellOf(liveIndex)],
  ['cell-queued', marks, cellOf(2)],
  ['cell-disturbed', marks, cellOf(1)],
  ['cell-over', running, cellOf(7)],
  ['server', running, server],
  ['server-queued', marks, server],
]
const sizes = ['80x24', '120x36', '200x50']

/** What the header and the footer leave of the screen. */
function draw(script: RunScript, view: View, size: string): string {
  const [columns = 0, rows = 0] = size.split('x').map(Number)
  const lines = view(script, { width: columns, height: rows - 4 })
  return lines.map(line => paint(fitLine(line, columns), { colours: 0, ascii: false }).trimEnd()).join('\n')
}

describe.each(frames)('%s', (name, script, view) => {
  test.each(name === 'cell-over' ? ['80x24'] : sizes)('at %s', async size => {
    await expect(`${draw(script, view, size)}\n`).toMatchFileSnapshot(`golden/${name}-${size}.txt`)
  })
})

test.each([
  ['prefill-row', running, prefill],
  ['explain', marks, explanation],
] as const)('%s', async (name, script, view) => {
  await expect(`${draw(script, view, '80x24')}\n`).toMatchFileSnapshot(`golden/${name}-80x24.txt`)
})

test('a cell without a course has the whole width for its words, beside charts they keep to the left', () => {
  const starts = (index: number) => draw(running, cellOf(index), '200x50').split('\n')[1]?.slice(0, 40)
  expect(starts(7)).toMatch(/^× the server runs at most 64 requests/)
  expect(starts(liveIndex)).toMatch(/^► measuring 1\d of 30 s, /)
})

test('what the server has not told for three seconds is unknown in the running cell', () => {
  const now = state(running)
  const { job } = now
  if (job === null) throw new Error('a cell runs in the script')
  const shown = (silentMs: number) => {
    const samples = job.samples.filter(({ at }) => at <= running.at - silentMs)
    const ui: UiState = { ...initialUi, view: 'cell' }
    const area = { width: 80, height: 20 }
    const lines = longText({ ...now, job: { ...job, samples } }, ui, running.at, null, area)?.lines ?? []
    return lines.map(line => line.map(({ text: part }) => part).join('')).join('\n')
  }
  expect(shown(1000)).toMatch(/running 4 +queued 0 +KV cache \d+%/)
  expect(shown(4000)).toMatch(/running – +queued – +KV cache –/)
})

test('a prefill row is not explained, and that is said', () => {
  const explained = text({ overlay: 'explain', selected: { kind: 'prefill', row: 0 } })
  expect(draw(running, explained, '80x24').split('\n')[1]).toBe('only cells are explained: choose one')
})

test.each([
  ['the evidence for a cell', { view: 'cell' }, '60x16'],
  ['what limits a cell', { overlay: 'explain' }, '60x11'],
] as const)('on a small screen %s is scrolled to, and the heading says that there is more', (_, ui, size) => {
  const selected: Place = { kind: 'cell', cell: 2 }
  const at = (scroll: number, on: string = size) =>
    draw(marks, text({ ...ui, selected, scroll }), on).split('\n')
  const end = at(0, '60x99').findLast(line => line !== '')
  expect(at(0)[0]).toMatch(/↓\d+ more lines/)
  expect(at(0)).not.toContain(end)
  expect(at(99)[0]).toMatch(/↑\d+ more lines/)
  expect(at(99).at(-1)).toBe(end)
})

test('no view is larger than its area, whatever the run and the size', () => {
  const random = seededRandom(5)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const all = Object.values(scenes).map(scene => scene())
  for (let round = 0; round < 200; round++) {
    const script = all[between(0, all.length - 1)] ?? running
    const past = foldRun(script.events.slice(0, between(0, script.events.length)))
    const now = script.at + between(0, 9000)
    const index = between(0, 80)
    const area = { width: between(20, 250), height: between(0, 66) }
    const places: readonly Place[] = [
      { kind: 'cell', cell: index },
      { kind: 'prefill', row: index },
    ]
    const texts = places.flatMap(selected => [
      longText(past, { ...initialUi, view: 'cell', selected }, now, null, area),
      longText(past, { ...initialUi, overlay: 'explain', selected }, now, null, area),
    ])
    const views = [
      ...texts.flatMap(shown => (shown === null ? [] : [scrolledLines(shown, between(0, 40), area)])),
      serverViewLines(past, now, area),
    ]
    for (const lines of views) {
      expect(lines.length).toBeLessThanOrEqual(area.height)
      for (const line of lines)
        expect(
          textWidth(
            fitLine(line, area.width)
              .map(({ text }) => text)
              .join(''),
          ),
        ).toBe(area.width)
    }
  }
})
