import { ChildProcess } from 'node:child_process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readCommand, readLines } from '../../src/hardware/command.ts'
import { emptyPath, realClock } from './fake-nvidia-smi.ts'

// A kill that Node passes on for a command that never started goes to a process of somebody else, or to our own group.
function watchKills() {
  const kills = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(false)
  onTestFinished(() => kills.mockRestore())
  return kills
}

test('an absent command that is called off as it starts ends no other process', async () => {
  emptyPath()
  const kills = watchKills()
  const read = new AbortController()
  const follow = new AbortController()
  const answers = [
    readCommand('no-such-command', [], read.signal),
    readLines('no-such-command', [], {
      onLine: () => {},
      silenceMs: 1000,
      clock: realClock,
      signal: follow.signal,
    }),
  ]
  read.abort()
  follow.abort()
  expect(await Promise.all(answers)).toEqual([null, 'absent'])
  expect(kills).not.toHaveBeenCalled()
})

test('a command that is called off before it starts is not started', async () => {
  expect(await readCommand('true', [], AbortSignal.abort())).toBeNull()
})
