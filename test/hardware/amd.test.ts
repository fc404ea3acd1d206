import { expect, test } from 'vitest'
import type { GpuFacts, GpuSample } from '../../src/domain/hardware-sample.ts'
import { watchAmd } from '../../src/hardware/amd.ts'
import { emptyPath, onPath, realClock } from './fake-nvidia-smi.ts'

const fixtures = new URL('../fixtures/hardware/', import.meta.url).pathname

/** Watches until the first sample, or until there is no use in going on. */
async function firstLook(): Promise<{ found: readonly GpuFacts[]; samples: readonly GpuSample[] }> {
  const stopping = new AbortController()
  const told: { found: readonly GpuFacts[]; samples: readonly GpuSample[] } = { found: [], samples: [] }
  const reader = {
    found: (gpus: readonly GpuFacts[]) => {
      told.found = gpus
    },
    sampled: (gpus: readonly GpuSample[]) => {
      told.samples = gpus
      stopping.abort()
    },
  }
  await watchAmd(reader, realClock, stopping.signal)
  return told
}

test('amd-smi is asked for what the GPUs are, then for what they do', async () => {
  const command = onPath('amd-smi', `cat ${fixtures}amd-smi-$1-rocm-6.json`)
  const { found, samples } = await firstLook()
  expect(found).toMatchObject([{ name: 'AMD Instinct MI300X' }])
  expect(samples).toMatchObject([{ powerW: 738 }, { powerW: 131 }])
  expect(command.starts().map(args => args.split(' ')[0])).toEqual(['static', 'metric'])
})

test('without amd-smi the older rocm-smi is asked', async () => {
  onPath('rocm-smi', `cat ${fixtures}rocm-smi-rx-7900-xtx.json`)
  const { found, samples } = await firstLook()
  expect(found).toMatchObject([{ memoryMiB: 24_560 }])
  expect(samples).toMatchObject([{ powerW: 19 }])
})

test('without either, or with one that fails, nothing is told', async () => {
  emptyPath()
  expect(await firstLook()).toEqual({ found: [], samples: [] })
  onPath('amd-smi', 'echo "ERROR: no GPU"; exit 1')
  expect(await firstLook()).toEqual({ found: [], samples: [] })
})
