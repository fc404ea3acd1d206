import { expect, onTestFinished, test } from 'vitest'
import type { GpuFacts, GpuSample } from '../../src/domain/hardware-sample.ts'
import { type Timing, watchNvidia } from '../../src/hardware/nvidia.ts'
import { emptyPath, onPath, realClock } from './fake-nvidia-smi.ts'

const fixtures = new URL('../fixtures/hardware/', import.meta.url).pathname
const print = (file: string) => `cat ${fixtures}${file}`
const forEver = (command: string) => `while :; do ${command}; sleep 0.01; done`
/** Without MIG, unless a listing is given. */
function smi(script: string, listing = 'true') {
  const command = onPath('nvidia-smi', `case "$1" in -L) ${listing}; exit;; esac; ${script}`)
  return { ...command, queries: () => command.starts().filter(args => args !== '-L') }
}
const timing: Timing = { silenceMs: 60_000, restartMs: [10, 10], longRunMs: 60_000 }

/** Watches what stands on the PATH; `told` resolves with so many samples. */
function watched(change: Partial<Timing> = {}) {
  const stopping = new AbortController()
  const found: (readonly GpuFacts[])[] = []
  const samples: (readonly GpuSample[])[] = []
  let wake = () => {}
  const reader = {
    found: (gpus: readonly GpuFacts[]) => {
      found.push(gpus)
      wake()
    },
    sampled: (gpus: readonly GpuSample[]) => {
      samples.push(gpus)
      wake()
    },
  }
  const ended = watchNvidia(reader, realClock, stopping.signal, { ...timing, ...change })
  const until = (isThere: () => boolean) =>
    new Promise<void>(resolve => {
      wake = () => isThere() && resolve()
      wake()
    })
  const stop = () => {
    stopping.abort()
    return ended
  }
  onTestFinished(async () => {
    await stop()
  })
  return { found, samples, ended, stop, until }
}

test('one process tells round after round until it is stopped, and is gone then', async () => {
  const command = smi(forEver(print('nvidia-h200-590.csv')))
  const { found, samples, stop, until } = watched()
  await until(() => samples.length >= 3)
  expect(command.queries()).toHaveLength(1)
  expect(command.queries()[0]).toMatch(
    /^--query-gpu=index,.*clocks_event_reasons\.active --format=csv,noheader,nounits --loop-ms=500$/,
  )
  expect(found).toMatchObject([[{ name: 'NVIDIA H200', powerLimitW: 700 }]])
  expect(samples[0]).toMatchObject([{ powerW: 627.4, utilisation: 1 }])
  expect(await stop()).toBe(true)
  expect(command.isAlive()).toBe(false)
})

test('the GPUs of a round are told together', async () => {
  smi(`case "$1" in *clocks_event*) exit 2;; esac; ${forEver(print('nvidia-two-h100-535.csv'))}`)
  const { samples, stop, until } = watched()
  await until(() => samples.length >= 2)
  expect(samples[0]?.map(({ index, clockMHz }) => [index, clockMHz])).toEqual([
    [0, 1590],
    [1, 1005],
  ])
  await stop()
})

test('a driver that does not know a field is asked by its older name, then for fewer', async () => {
  const command = smi(
    `case "$1" in *clocks_*) ${print('nvidia-refused.txt')}; exit 2;; esac; ${forEver(print('nvidia-k80-390.csv'))}`,
  )
  const { samples, found, stop, until } = watched()
  await until(() => samples.length >= 1)
  const asked = command.queries().map(args => /clocks_\w+|loop=1/.exec(args)?.[0])
  expect(asked.slice(0, 3)).toEqual(['clocks_event_reasons', 'clocks_throttle_reasons', 'loop=1'])
  expect(found).toMatchObject([[{ name: 'Tesla K80', driver: null }]])
  expect(samples[0]).toMatchObject([{ utilisation: null, powerW: 27.51, throttle: null }])
  await stop()
})

test('MIG instances are found by a second command', async () => {
  smi(forEver(print('nvidia-h200-mig-580.csv')), print('nvidia-h200-mig-580-list.txt'))
  const { found, stop, until } = watched()
  await until(() => found.length >= 2)
  expect(found.map(([gpu]) => gpu?.migInstances)).toEqual([[], ['3g.71gb']])
  await stop()
})

test('one that dies is started again as often as is sparing, then left alone', async () => {
  const command = smi(`${print('nvidia-h200-590.csv')}; exit 1`)
  const { samples, ended } = watched()
  expect(await ended).toBe(true)
  // the first and two restarts
  expect(samples).toHaveLength(3)
  expect(command.queries()).toHaveLength(3)
})

test('one that died after a long run has all its restarts again', async () => {
  const command = smi(`${print('nvidia-h200-590.csv')}; exit 1`)
  const { samples, stop, until } = watched({ longRunMs: 0 })
  await until(() => samples.length >= 6)
  expect(command.queries().length).toBeGreaterThanOrEqual(6)
  await stop()
})

test('one that falls silent is ended and started again', async () => {
  const command = smi(`${print('nvidia-h200-590.csv')}; exec sleep 600`)
  const { ended } = watched({ silenceMs: 300 })
  await ended
  expect(command.queries().length).toBeGreaterThanOrEqual(3)
  expect(command.isAlive()).toBe(false)
})

test('one that never tells anything is given up, and a message is no sample', async () => {
  const command = smi(`${print('nvidia-no-driver.txt')}; exit 9`)
  const { samples, found, ended } = watched()
  expect(await ended).toBe(false)
  expect([samples, found]).toEqual([[], []])
  // three queries, and twice more
  expect(command.queries()).toHaveLength(9)
})

test('stopping does not wait for one that takes its time to begin, nor for one that ignores the call to end', async () => {
  for (const script of ['exec sleep 600', "trap '' TERM; exec sleep 600"]) {
    const command = smi(script)
    const { stop, until, samples } = watched()
    await until(() => samples.length === 0)
    while (command.queries().length === 0 || !command.isAlive()) await new Promise(setImmediate)
    expect(await stop()).toBe(false)
    while (command.isAlive()) await new Promise(setImmediate)
  }
})

test('where there is none, nothing is told and nothing is tried again', async () => {
  emptyPath()
  const { ended, samples } = watched()
  expect(await ended).toBe(false)
  expect(samples).toEqual([])
})
