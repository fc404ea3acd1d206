import { describe, expect, test } from 'vitest'
import { show } from '../support/show.ts'
import { scenes } from './scenes.ts'

const sizes = ['40x10', '60x16', '80x24', '120x36', '200x50']
const shown = ['prefill', 'launch', 'running', 'small', 'marks', 'ended', 'no metrics'] as const

/** Frames as plain text; `vitest -u` writes them anew, and the difference is to be looked at. */
describe.each(shown)('the screen of a run: %s', scene => {
  test.each(scene === 'running' ? sizes : ['80x24', '120x36'])('at %s', async size => {
    const [columns, rows] = size.split('x').map(Number)
    const screen = show(scenes[scene](), columns ?? 0, rows ?? 0)
    const text = await screen.text()
    await screen.close()
    await expect(text).toMatchFileSnapshot(`golden/${scene.replace(' ', '-')}-${size}.txt`)
  })
})
