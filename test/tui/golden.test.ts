import { describe, expect, test } from 'vitest'
import { show } from '../support/show.ts'
import { scenes } from './scenes.ts'

const sizes = ['40x10', '60x16', '80x24', '120x36', '200x50']
const shown = [
  'prefill',
  'launch',
  'running',
  'small',
  'marks',
  'paused',
  'hardware',
  'ended',
  'no metrics',
] as const

function sizesOf(scene: (typeof shown)[number]): readonly string[] {
  if (scene === 'running') return sizes
  return scene === 'hardware' ? ['80x24', '120x36', '200x50'] : ['80x24', '120x36']
}

async function expectFrame(screen: ReturnType<typeof show>, name: string): Promise<void> {
  const text = await screen.text()
  await screen.close()
  await expect(text).toMatchFileSnapshot(`golden/${name}.txt`)
}

function open(scene: keyof typeof scenes, size: string) {
  const [columns, rows] = size.split('x').map(Number)
  return show(scenes[scene](), columns ?? 0, rows ?? 0)
}

/** Frames as plain text; `vitest -u` writes them anew, and the difference is to be looked at. */
describe.each(shown)('the screen of a run: %s', scene => {
  test.each(sizesOf(scene))('at %s', async size => {
    await expectFrame(open(scene, size), `${scene.replace(' ', '-')}-${size}`)
  })
})

const views = [
  { view: 'help', scene: 'running', keys: '?', sign: 'Keys ─' },
  { view: 'server', scene: 'running', keys: '3', sign: 'Server ─' },
  { view: 'events', scene: 'running', keys: '4', sign: 'Events ─' },
  { view: 'cell', scene: 'running', keys: 'kklll\r', sign: 'Cell 16K × 32' },
  { view: 'explain', scene: 'marks', keys: 'kle', sign: 'What limits' },
  { view: 'output', scene: 'running', keys: 'o', sign: 'Model output' },
  { view: 'grid-KV', scene: 'running', keys: 'mmmmm', sign: 'Decode KV usage' },
  { view: 'grid-interval', scene: 'marks', keys: 'Mkl', sign: 'Decode interval' },
] as const

describe.each(views)('the view $view', ({ view, scene, keys, sign }) => {
  test.each(['80x24', '120x36', '200x50'])('at %s', async size => {
    const screen = open(scene, size)
    screen.terminal.type(keys)
    await screen.terminal.until(text => text.split('\n')[1]?.includes(sign) === true)
    await expectFrame(screen, `view-${view}-${size}`)
  })
})
