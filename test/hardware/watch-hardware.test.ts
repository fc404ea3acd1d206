import { expect, onTestFinished, test } from 'vitest'
import type { HardwareFacts, HardwareSample } from '../../src/domain/hardware-sample.ts'
import { createHardwareWatch } from '../../src/hardware/watch-hardware.ts'
import { emptyPath, onPath, realClock } from './fake-nvidia-smi.ts'

const fixtures = new URL('../fixtures/hardware/', import.meta.url).pathname

function started() {
  const found: HardwareFacts[] = []
  const samples: HardwareSample[] = []
  let wake = () => {}
  const watch = createHardwareWatch(realClock)
  watch.start(
    facts => found.push(facts),
    sample => {
      samples.push(sample)
      wake()
    },
  )
  const until = (isThere: () => boolean) =>
    new Promise<void>(resolve => {
      wake = () => isThere() && resolve()
      wake()
    })
  onTestFinished(() => watch.stop())
  return { found, samples, until, stop: () => watch.stop() }
}

test('the host is told at once, its GPUs as soon as they are known', async () => {
  onPath('nvidia-smi', `[ "$1" = -L ] || while :; do cat ${fixtures}nvidia-h200-590.csv; sleep 0.01; done`)
  const { found, samples, until, stop } = started()
  expect(found).toMatchObject([{ gpus: null, host: { os: process.platform } }])
  await until(() => samples.some(({ gpus }) => gpus !== null) && samples.some(({ host }) => host !== null))
  expect(found.at(-1)).toMatchObject({
    gpus: [{ name: 'NVIDIA H200' }],
    host: { cores: found[0]?.host.cores },
  })
  const first = samples.find(({ host }) => host !== null)
  // One look tells no utilisation.
  expect(first).toMatchObject({ gpus: null, host: { cpuUtilisation: null } })
  await stop()
})

test('a machine without GPUs tells of its host alone, and ends at once when it is stopped', async () => {
  emptyPath()
  const { found, samples, until, stop } = started()
  await until(() => samples.length > 0)
  await stop()
  expect(found).toMatchObject([{ gpus: null }])
  expect(samples.every(({ gpus }) => gpus === null)).toBe(true)
})
