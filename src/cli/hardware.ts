import { createHardwareWatch } from '../hardware/watch-hardware.ts'
import type { HardwarePort } from '../runner/ports.ts'
import type { RunFlags } from './flags.ts'
import { systemClock } from './system-clock.ts'
import { isThisMachine } from './this-machine.ts'

/** What looks at the machine of a server, unless it is another one or the operator wants none; `on` takes this one for it. */
export function openHardware(url: string, { hardware }: Pick<RunFlags, 'hardware'>): HardwarePort | null {
  const isWanted = hardware === 'on' || (hardware === 'auto' && isThisMachine(url))
  return isWanted ? createHardwareWatch(systemClock) : null
}
