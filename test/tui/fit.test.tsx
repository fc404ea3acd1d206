import { renderToString } from 'ink'
import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { initialState } from '../../src/domain/run-state.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { textWidth } from '../../src/format/text-width.ts'
import { Screen } from '../../src/tui/screen.tsx'
import type { Place } from '../../src/tui/selection.ts'
import type { UiState } from '../../src/tui/ui-state.ts'
import { RunScript, scriptedServer } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

const hostile = {
  ...scriptedServer,
  model: { ...scriptedServer.model, id: '\u001b[2J通義千問 \u202e🚀 模型'.repeat(6) },
}

test('no state overflows at any size from 40x10 to 250x70', () => {
  const random = seededRandom(11)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const oneOf = <T,>(choices: readonly [T, ...T[]]): T =>
    choices[between(0, choices.length - 1)] ?? choices[0]
  const huge = new RunScript(
    {
      contexts: Array.from({ length: 30 }, (_, index) => 1024 * (index + 1)),
      concurrency: Array.from({ length: 40 }, (_, index) => index + 1),
    },
    hostile,
  )
  const randomUi = (): UiState => ({
    view: oneOf(['grid', 'grid', 'cell', 'server', 'events']),
    overlay: oneOf([null, null, null, 'help', 'explain', 'output']),
    confirming: random() < 0.1,
    figure: between(-20, 20),
    selected: oneOf<Place | null>([
      null,
      { kind: 'cell', cell: between(0, 60) },
      { kind: 'cell', cell: between(0, 1199) },
      { kind: 'prefill', row: between(0, 8) },
    ]),
    scroll: between(0, 300),
  })
  huge.begin().prefill(0).cells(3).launch(60).open().run(3000)
  const scripts = [...Object.values(scenes).map(scene => scene()), huge]
  const moments = scripts.flatMap(({ events }) =>
    Array.from({ length: 8 }, (_, index) => {
      const past = events.slice(0, index === 0 ? events.length : between(0, events.length))
      return { state: foldRun(past), at: past.at(-1)?.at ?? 0 }
    }),
  )
  for (let round = 0; round < 250; round++) {
    const { state, at } = moments[between(0, moments.length - 1)] ?? { state: initialState, at: 0 }
    const size = { columns: between(40, 250), rows: between(10, 70) }
    const frame = renderToString(
      <Screen
        state={state}
        ui={randomUi()}
        now={at + between(0, 9000)}
        size={size}
        theme={{ colours: 0, ascii: random() < 0.3 }}
        output={random() < 0.5 ? null : '\u001b[2Jab\r\n\t通義千問 🚀'.repeat(between(0, 99))}
        trouble={random() < 0.9 ? null : `RESULT NOT SAVED: ${hostile.model.id}`}
      />,
      { columns: 400 },
    )
    const lines = frame.split('\n')
    expect(lines.length, `${size.columns}x${size.rows}`).toBeLessThan(size.rows)
    for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(size.columns)
  }
}, 60_000)
