import { renderToString } from 'ink'
import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { seededRandom } from '../../src/domain/stagger.ts'
import { textWidth } from '../../src/format/text-width.ts'
import { Screen } from '../../src/tui/screen.tsx'
import { RunScript, scriptedServer } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

const hostile = {
  ...scriptedServer,
  model: { ...scriptedServer.model, id: '\u001b[2J通義千問 \u202e🚀 模型'.repeat(6) },
}

test('no state overflows at any size from 40x10 to 250x70', () => {
  const random = seededRandom(11)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const huge = new RunScript(
    {
      contexts: Array.from({ length: 30 }, (_, index) => 1024 * (index + 1)),
      concurrency: Array.from({ length: 40 }, (_, index) => index + 1),
    },
    hostile,
  )
  huge.begin().prefill(0).cells(3).launch(60).open().run(3000)
  const scripts = [...Object.values(scenes).map(scene => scene()), huge]
  for (let round = 0; round < 250; round++) {
    const { events } = scripts[between(0, scripts.length - 1)] ?? huge
    const past = events.slice(0, between(0, events.length))
    const size = { columns: between(40, 250), rows: between(10, 70) }
    const frame = renderToString(
      <Screen
        state={foldRun(past)}
        ui={{ confirming: random() < 0.2, help: random() < 0.2, figure: between(0, 7) }}
        now={(past.at(-1)?.at ?? 0) + between(0, 9000)}
        size={size}
        theme={{ colours: 0, ascii: random() < 0.3 }}
      />,
      { columns: 400 },
    )
    const lines = frame.split('\n')
    expect(lines.length, `${size.columns}x${size.rows}`).toBeLessThan(size.rows)
    for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(size.columns)
  }
})
