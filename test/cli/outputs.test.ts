import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openOutputs } from '../../src/cli/outputs.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import { EventLog } from '../../src/runner/event-log.ts'
import { sampleResult } from '../support/sample-result.ts'
import { fakeContext } from './fake-context.ts'

/** Outputs of a run to a file in a folder of its own, and what is written to the streams meanwhile. */
function outputsTo() {
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-outputs-'))
  const path = join(folder, `${basename(folder)}.json`)
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  })
  const flags = { output: path, events: undefined }
  const outputs = openOutputs(new EventLog(systemClock), flags, null, fakeContext(), () => sampleResult())
  return { path, outputs, stdout, stderr }
}

test('a result that was saved is where it was asked for, and nothing is said', () => {
  const { path, outputs, stdout, stderr } = outputsTo()
  outputs.save()
  expect(outputs.savedTo()).toBe(path)
  expect(outputs.trouble()).toBe(null)
  expect(outputs.finish()).toBe(0)
  expect([stdout.mock.calls, stderr.mock.calls]).toEqual([[], []])
})

test('a result that the disk refused is never said to be where it is not', () => {
  const { path, outputs, stderr } = outputsTo()
  // A folder in the way: even root cannot rename a file over it.
  mkdirSync(path)
  outputs.save()
  const elsewhere = join(tmpdir(), basename(path))
  onTestFinished(() => rmSync(elsewhere))
  expect(outputs.savedTo()).toBe(elsewhere)
  expect(outputs.trouble()).toBe('RESULT NOT SAVED: it is a folder')
  expect(outputs.finish()).toBe(1)
  expect(JSON.parse(readFileSync(elsewhere, 'utf8')).schema).toBe('tokgrid/result')
  expect(stderr.mock.calls.join()).toContain(`the result is in ${elsewhere}`)
})

test('a result that no disk took goes to stdout, once', () => {
  const { path, outputs, stdout, stderr } = outputsTo()
  mkdirSync(path)
  const elsewhere = join(tmpdir(), basename(path))
  mkdirSync(elsewhere)
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  outputs.save()
  expect(outputs.savedTo()).toBeNull()
  expect([outputs.finish(), outputs.finish()]).toEqual([1, 1])
  expect(stdout.mock.calls).toHaveLength(1)
  expect(JSON.parse(String(stdout.mock.calls[0]?.[0])).schema).toBe('tokgrid/result')
  expect(stderr.mock.calls.join()).toContain('the result is on stdout')
})
