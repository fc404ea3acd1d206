import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/runner/ports.ts'

export type FakeCommand = {
  /** The arguments of each start, in order. */
  starts(): readonly string[]
  /** Whether the process started last is still there; those that only list (`-L`) do not count. */
  isAlive(): boolean
}

/** Puts a command with this shell script first on the PATH, until the test is over. */
export function onPath(name: string, script: string): FakeCommand {
  const folder = emptyPath()
  process.env.PATH += ':/usr/bin:/bin'
  const log = join(folder, 'starts')
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\necho "$$ $*" >> ${log}\n${script}\n`)
  chmodSync(file, 0o755)
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [])
  return {
    starts: () => lines().map(line => line.slice(line.indexOf(' ') + 1)),
    isAlive: () => {
      try {
        const started = lines().findLast(line => !line.endsWith(' -L')) ?? ''
        return process.kill(Number.parseInt(started, 10), 0)
      } catch {
        return false
      }
    },
  }
}

/** A PATH on which there is nothing, until the test is over. Returns its only folder. */
export function emptyPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-fake-'))
  const { PATH } = process.env
  process.env.PATH = folder
  onTestFinished(() => {
    process.env.PATH = PATH
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Time that really passes: programs do not wait for a virtual one. */
export const realClock: Clock = {
  now: () => performance.now(),
  wallTime: () => '',
  onTime: (at, wake) => {
    const timer = setTimeout(wake, Math.max(0, at - performance.now()))
    return () => clearTimeout(timer)
  },
}
