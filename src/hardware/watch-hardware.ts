import type { Clock, HardwarePort } from '../runner/ports.ts'
import { watchAmd } from './amd.ts'
import type { GpuReader } from './gpu-reader.ts'
import { hostFacts, watchHost } from './host.ts'
import { watchNvidia } from './nvidia.ts'

/** Looks at the GPUs and the host of this machine until it is stopped; what is absent or fails is not told, and never an error. */
export function createHardwareWatch(clock: Clock): HardwarePort {
  const stopping = new AbortController()
  const { signal } = stopping
  let ended: Promise<unknown> = Promise.resolve()
  return {
    start: (onFound, onSample) => {
      const host = hostFacts()
      onFound({ gpus: null, host })
      const reader: GpuReader = {
        found: gpus => onFound({ gpus, host }),
        sampled: gpus => onSample({ at: clock.now(), gpus, host: null }),
      }
      const watchGpus = async () => {
        const hasNvidia = await watchNvidia(reader, clock, signal)
        if (!hasNvidia && !signal.aborted) await watchAmd(reader, clock, signal)
      }
      ended = Promise.all([
        watchGpus(),
        watchHost(sample => onSample({ at: clock.now(), gpus: null, host: sample }), clock, signal),
      ])
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}
