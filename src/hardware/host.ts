import { readFile } from 'node:fs/promises'
import { cpus, freemem, platform, totalmem } from 'node:os'
import type { HostFacts, HostSample } from '../domain/hardware-sample.ts'
import type { Clock } from '../runner/ports.ts'
import { pause } from './pause.ts'

/** Time of all cores since the start of the machine, in one unit or another. */
export type CpuTime = { readonly busy: number; readonly all: number }

const paceMs = 1000

export function hostFacts(): HostFacts {
  const cores = cpus()
  return {
    cpu: cores[0]?.model ?? null,
    cores: cores.length,
    memoryMiB: mebibytes(totalmem()),
    os: platform(),
  }
}

/** Looks at the host once a second until the signal aborts. */
export async function watchHost(
  onSample: (host: HostSample) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let before: CpuTime | null = null
  while (!signal.aborted) {
    const now = await readCpuTime()
    if (signal.aborted) return
    onSample({
      cpuUtilisation: cpuUtilisation(before, now),
      memoryUsedMiB: mebibytes(totalmem() - freemem()),
    })
    before = now
    await pause(paceMs, clock, signal)
  }
}

/** 0..1 between two readings; `null` when no time has passed. */
export function cpuUtilisation(before: CpuTime | null, now: CpuTime): number | null {
  if (before === null || now.all <= before.all) return null
  return Math.min(1, Math.max(0, (now.busy - before.busy) / (now.all - before.all)))
}

/**
 * The first line of Linux' `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice. Waiting
 * for a disk is idle; guests are in user and nice already. `null`: it is something else.
 */
export function parseProcStat(text: string): CpuTime | null {
  const times = /^cpu +(.+)$/m.exec(text)?.[1]?.trim().split(/ +/).slice(0, 8).map(Number) ?? []
  if (times.length < 4 || times.some(time => !Number.isFinite(time))) return null
  const all = times.reduce((total, time) => total + time, 0)
  return { busy: all - (times[3] ?? 0) - (times[4] ?? 0), all }
}

/** `os.cpus()` reads a file for each core on Linux, which takes long where there are hundreds. */
async function readCpuTime(): Promise<CpuTime> {
  const stat = parseProcStat(await readFile('/proc/stat', 'utf8').catch(() => ''))
  if (stat !== null) return stat
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    busy: user + nice + sys + irq,
    all: user + nice + sys + irq + idle,
  }))
  return {
    busy: times.reduce((total, { busy }) => total + busy, 0),
    all: times.reduce((total, { all }) => total + all, 0),
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}
