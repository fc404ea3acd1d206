import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Command } from '../../src/cli/commands.ts'
import { exportCommand } from '../../src/cli/export-command.ts'
import { importCommand } from '../../src/cli/import-command.ts'
import { readResultFile } from '../../src/cli/read-result-file.ts'
import { schemaCommand } from '../../src/cli/schema-command.ts'
import { readResult } from '../../src/result/read-result.ts'
import { sampleResult } from '../support/sample-result.ts'
import { fakeContext } from './fake-context.ts'

const fixture = (name: string) => new URL(`../fixtures/import/${name}`, import.meta.url).pathname
const lib = fixture('llm-inference-bench-0.4.18-result.json')

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tokgrid-exchange-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

/** Runs a command; what it wrote to the streams, and its exit code. */
async function run(command: Command, words: readonly string[], flags: object = {}) {
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const code = await command({ ...flags }, words, fakeContext())
  const told = { code, stdout: stdout.mock.calls.join(''), stderr: stderr.mock.calls.join('') }
  vi.restoreAllMocks()
  return told
}

/** A result file of ours. */
function resultFile(): string {
  const path = join(folder(), 'result.json')
  writeFileSync(path, JSON.stringify(sampleResult()))
  return path
}

describe('import', () => {
  test('writes a result that is read as our own', async () => {
    const output = join(folder(), 'out.json')
    const { code, stderr } = await run(importCommand, [lib], { output })
    expect([code, stderr]).toEqual([0, `${output}: 12 cells, 3 prefill rows, from llm-inference-bench\n`])
    const written = readResult(readFileSync(output, 'utf8'), output)
    expect(written).toMatchObject({ schema: 'tokgrid/result', imported: { from: 'llm-inference-bench' } })
    expect(written).toEqual(readResultFile(lib))
  })

  test('without -o writes to stdout', async () => {
    const { stdout, stderr } = await run(importCommand, [lib])
    expect(JSON.parse(stdout).decode).toHaveLength(12)
    expect(stderr).toBe('')
  })

  test('leaves an older file beside the new one', async () => {
    const output = join(folder(), 'out.json')
    writeFileSync(output, 'precious')
    await run(importCommand, [lib], { output })
    expect(readFileSync(`${output}.bak`, 'utf8')).toBe('precious')
  })

  test('joins the runs of several files', async () => {
    const files = [fixture('vllm-bench-serve.json'), fixture('vllm-bench-serve-detailed.json')]
    const { stdout } = await run(importCommand, files)
    expect(JSON.parse(stdout).run.options).toMatchObject({ contexts: [1024, 1050], concurrency: [3, 8] })
  })

  test.each(['sglang-bench-serving.jsonl', 'aiperf-loadgen.json'])('takes no secret from %s', async name => {
    expect(readFileSync(fixture(name), 'utf8')).toContain('sk-not-for-files')
    const { stdout } = await run(importCommand, [fixture(name)])
    expect(stdout).not.toContain('sk-not-for-files')
    expect(stdout).toContain('<redacted>')
  })

  test('takes no password from the url of a server', async () => {
    const path = join(folder(), 'lib.json')
    writeFileSync(path, readFileSync(lib, 'utf8').replace('localhost:', 'http://me:not-for-files@localhost:'))
    const { stdout } = await run(importCommand, [path])
    expect(JSON.parse(stdout).server.url).toBe('http://<redacted>@localhost:18000')
    expect(stdout).not.toContain('not-for-files')
  })

  test('of nothing is refused', async () => {
    await expect(run(importCommand, [])).rejects.toThrow('no file is named')
  })
})

describe('export', () => {
  test.each(['llm-inference-bench', 'openmetrics', 'jsonl'])(
    'writes %s whole, and says nothing',
    async format => {
      const output = join(folder(), 'out')
      const { code, stdout, stderr } = await run(exportCommand, [resultFile()], { format, output })
      expect([code, stdout, stderr]).toEqual([0, '', ''])
      expect(readFileSync(output, 'utf8')).toMatch(/\n$/)
      expect((await run(exportCommand, [resultFile()], { format })).stdout).toBe(readFileSync(output, 'utf8'))
    },
  )

  test('of a payload for a leaderboard says what is not known, and that nothing was sent', async () => {
    const path = fixture('vllm-bench-serve.json')
    const { stdout, stderr } = await run(exportCommand, [path], { format: 'localmaxxing' })
    expect(JSON.parse(stdout)).toMatchObject({ hfId: 'Qwen/Qwen3-8B', batchSize: 8 })
    expect(stderr).toMatch(/^1 payload, nothing was sent; not known, for you to fill in: hardware\.hwClass, /)
    expect(stderr).not.toContain('hfId')
  })

  test.each(['8kx4', '8k×4', '8192X4'])('--cell %s takes only this cell', async cell => {
    const { stdout } = await run(exportCommand, [resultFile()], { format: 'jsonl', cell: [cell] })
    expect(JSON.parse(stdout)).toMatchObject({ phase: 'decode', contextTokens: 8192, concurrency: 4 })
  })

  test('never takes the place of the result', async () => {
    const path = resultFile()
    await expect(run(exportCommand, [path], { format: 'jsonl', output: path })).rejects.toThrow('overwrite')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(sampleResult())
  })

  test.each([
    ['no format', [lib], {}, '--format: is needed: llm-inference-bench, localmaxxing'],
    ['another format', [lib], { format: 'xml' }, '--format: is one of llm-inference-bench, localmaxxing'],
    ['a cell that is none', [lib], { format: 'jsonl', cell: ['8k'] }, '"8k" is not a cell'],
    ['a cell that is not there', [lib], { format: 'jsonl', cell: ['9kx1'] }, 'no cell of 9216 tokens × 1'],
    ['no file', [], { format: 'jsonl' }, 'one file is needed'],
    ['a folder that is not there', [lib], { format: 'jsonl', output: '/no/such/x' }, '/no/such/x cannot'],
  ])('with %s is refused', async (_, words, flags, message) => {
    await expect(run(exportCommand, words, flags)).rejects.toThrow(message)
  })
})

test('schema prints the JSON Schema, or the reference for readers', async () => {
  expect(JSON.parse((await run(schemaCommand, [])).stdout)).toMatchObject({ type: 'object' })
  expect((await run(schemaCommand, [], { markdown: true })).stdout).toMatch(/^# The result file, version 1\n/)
})

describe('a file that is no result is refused in one line:', () => {
  test.each([
    ['a folder', () => folder(), /is a folder$/],
    ['nothing', () => join(folder(), 'x.json'), /cannot be read: there is no such file$/],
    ['a device without an end', () => '/dev/zero', /is larger than 256 MiB$/],
  ])('%s', (_, path, message) => {
    expect(() => readResultFile(path())).toThrow(message)
  })

  test('a gigabyte of holes', () => {
    const path = join(folder(), 'big.json')
    writeFileSync(path, '')
    truncateSync(path, 2 ** 30)
    expect(() => readResultFile(path)).toThrow(/is larger than 256 MiB/)
  })
})
