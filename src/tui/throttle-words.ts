import type { ThrottleReason } from '../domain/hardware-sample.ts'

/** What holds the clock of a GPU down. */
export const throttleWords: Readonly<Record<ThrottleReason, string>> = {
  'power-cap': 'power limit',
  thermal: 'heat',
  'hardware-thermal': 'heat (by hardware)',
  'power-brake': 'power brake',
  'hardware-slowdown': 'hardware slowdown',
  'sync-boost': 'the slowest GPU of its group',
  'clock-setting': 'a clock setting',
  unspecified: 'an unnamed reason',
}
