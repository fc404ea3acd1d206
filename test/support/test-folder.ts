import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A folder that every test of the file finds empty, and that is gone after each. */
export function testFolder(): string {
  const folder = join(tmpdir(), `tokgrid-test-${randomUUID()}`)
  beforeEach(() => {
    mkdirSync(folder)
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}
