import { expect, test } from 'vitest'
import { foldRun } from '../../src/domain/reduce-run.ts'
import { selectServer } from '../../src/tui/select-server.ts'
import { serverLines } from '../../src/tui/server-panel.ts'
import { paint } from '../../src/tui/theme.ts'
import { sample } from '../domain/build.ts'
import { RunScript } from '../support/scripted-run.ts'
import { scenes } from './scenes.ts'

function shown(script: RunScript, laterMs: number, height = 7): string {
  const view = selectServer(foldRun(script.events), script.at + laterMs, 20)
  const lines = serverLines(view, { width: 60, height })
  return lines.map(line => paint(line, { colours: 0, ascii: false })).join('\n')
}

test('a sample of three seconds ago is current, an older one is stale and says its age', () => {
  const script = new RunScript().begin()
  expect(shown(script, 3000)).not.toContain('STALE')
  expect(shown(script, 5000)).toMatch(/STALE 5 s$/m)
})

test('what the server does not tell is unknown, not zero', () => {
  const script = new RunScript().begin().tell({
    kind: 'server-sampled',
    sample: sample({ at: 10_000, queued: 0 }),
  })
  script.at = 10_000
  expect(shown(script, 0)).toMatch(/running +– /)
  expect(shown(script, 0)).toMatch(/queued +0 /)
  expect(shown(script, 0)).toMatch(/KV cache ╌+ +–$/m)
})

test('generation is told by the increase of the counter, per second', () => {
  const script = new RunScript({ contexts: [8192], concurrency: [1], phases: 'decode' })
  script.begin().launch(0).open().run(10_000)
  const view = selectServer(foldRun(script.events), script.at, 5)
  const value = view.kind === 'sampled' ? view.tokensPerSecond.value : null
  // The script's server: 360 / (1 + 1 / 14) / (1 + 8192 / 300,000) tok/s for one stream.
  expect(value).toBeGreaterThan(0.95 * 327.1)
  expect(value).toBeLessThan(1.05 * 327.1)
})

test('a second that is over stands still, however often the server is looked at', () => {
  const script = new RunScript({ contexts: [8192], concurrency: [4], phases: 'decode' })
  script.begin().launch(0).open().run(10_000)
  const { samples } = foldRun(script.events)
  const base = samples.at(-1)
  if (base === undefined) throw new Error('the script has samples')
  const second = Math.ceil(base.at / 1000) * 1000
  const looks = [200, 400, 600, 800].map((ms, index) => ({ ...base, at: second + ms, running: index }))
  const histories = looks.map((_, count) => {
    const state = { ...foldRun(script.events), samples: [...samples, ...looks.slice(0, count + 1)] }
    const view = selectServer(state, second + 800, 8)
    return view.kind === 'sampled' ? view.running.history.slice(0, -1) : []
  })
  for (const history of histories) expect(history).toEqual(histories[0])
})

test('nothing moves when the cache fills up', () => {
  const bar = (used: number) => {
    const script = new RunScript().begin()
    const one = sample({ at: script.at, kvCacheUsage: used / 1e6, kvUsedTokens: used, kvCapacityTokens: 1e6 })
    const view = selectServer(
      foldRun(script.tell({ kind: 'server-sampled', sample: one }).events),
      script.at,
      20,
    )
    const [, line = []] = serverLines(view, { width: 60, height: 7 })
    return paint(line, { colours: 0, ascii: false })
  }
  expect(bar(0)).toMatch(/^KV cache ╌+ {3}0% {4}0 of 976K$/)
  expect(bar(1e6)).toMatch(/^KV cache ━+ 100% 976K of 976K$/)
  expect(bar(0).lastIndexOf('╌')).toBe(bar(1e6).lastIndexOf('━'))
})

test('a server without metrics is said to have none, whatever the height', () => {
  expect(shown(scenes['no metrics'](), 0)).toContain('no metrics')
  expect(shown(scenes['no metrics'](), 0, 1)).toContain('no metrics')
})
