import { cpus } from 'node:os'

/** Streams that one load thread holds comfortably. */
const streamsPerWorker = 256

/** Enough threads for the streams, but one core is left to the rest of tokgrid. */
export function workersFor(streams: number): number {
  return Math.max(1, Math.min(cpus().length - 1, Math.ceil(streams / streamsPerWorker)))
}
