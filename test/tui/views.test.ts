import { describe, expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { textWidth } from '../../src/format/text-width.ts'
import { cellLines } from '../../src/tui/cell-view.ts'
import { explainLines } from '../../src/tui/explain-view.ts'
import type { Area } from '../../src/tui/layout.ts'
import { prefillLines } from '../../src/tui/prefill-view.ts'
import { selectCell, selectPrefill } from '../../src/tui/select-cell.ts'
import { serverViewLines } from '../../src/tui/server-view.ts'
import { fitLine, type Line } from '../../src/tui/span.ts'
import { paint } from '../../src/tui/theme.ts'
import type { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

type View = (script: RunScript, area: Area) => readonly Line[]

const state = ({ events }: RunScript) => foldRun(events)
const cellOf =
  (index: number): View =>
  (script, area) =>
    cellLines(selectCell(state(script), index, script.at), area)
const server: View = (script, area) => serverViewLines(state(script), script.at, area)
const prefill: View = (script, area) => prefillLines(selectPrefill(state(script), 2, script.at), area)
const explanation: View = (script, area) => explainLines(state(script), 2, area)

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

test('a prefill row is not explained, and that is said', () => {
  const lines = explainLines(state(running), -1, { width: 80, height: 4 })
  expect(lines[1]?.map(({ text }) => text)).toEqual(['only cells are explained: choose one'])
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
    const views = [
      cellLines(selectCell(past, index, now), area),
      prefillLines(selectPrefill(past, index, now), area),
      explainLines(past, index, area),
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
