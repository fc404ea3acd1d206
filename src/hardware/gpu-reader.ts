import type { GpuFacts, GpuSample } from '../domain/hardware-sample.ts'

/** Who wants to know of the GPUs of this machine. What is found replaces what was found before. */
export type GpuReader = {
  readonly found: (gpus: readonly GpuFacts[]) => void
  readonly sampled: (gpus: readonly GpuSample[]) => void
}
