import { readFileSync } from 'node:fs'

/** User and system time of a process, ms; the kernel counts in hundredths of a second. Linux only. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
