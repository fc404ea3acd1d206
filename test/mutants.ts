// node test/mutants.ts   breaks one measuring rule at a time, in a copy of the source, and shows that a test notices
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Mutant = {
  /** What is broken, in words. */
  readonly rule: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** Where the test is that should fail. */
  readonly tests: string
}

const mutants: readonly Mutant[] = [
  {
    rule: 'a chunk with a role alone counts as a token',
    file: 'load/chat-chunk.ts',
    from: "const outputFields = ['content',",
    to: "const outputFields = ['role', 'content',",
    tests: 'test/load',
  },
  {
    rule: 'a chunk counts as one token although usage tells more',
    file: 'load/token-meter.ts',
    from: 'this.#arrived(at, isCounted ? increase : null, counter)',
    to: 'this.#arrived(at, isCounted ? 1 : null, counter)',
    tests: 'test/load',
  },
  {
    rule: 'tokens count when they are read, not when their bytes came',
    file: 'load/stream-request.ts',
    from: 'this.meter.observe(this.#arrivedAt, chunk',
    to: 'this.meter.observe(performance.now(), chunk',
    tests: 'test/load',
  },
  {
    rule: 'what arrives after the window is counted in it',
    file: 'load/window-counter.ts',
    from: 'at >= this.window.from && at < this.window.to',
    to: 'at >= this.window.from',
    tests: 'test/load',
  },
  {
    rule: 'requests are not aborted on the server, only closed',
    file: 'load/load-thread.ts',
    from: 'await abortRequests(underWay, this.#setup.target)',
    to: 'for (const request of underWay) request.hangUp()',
    tests: 'test/load',
  },
  {
    rule: 'a stream that ended is not replaced',
    file: 'load/stream-pool.ts',
    from: "if (this.#isOpen) this.#send(stream, 'steady', this.#maxTokens)",
    to: 'void stream',
    tests: 'test/load',
  },
  {
    rule: 'ITL counts the tokens of the first chunk, which took no time that was seen',
    file: 'domain/request-trace.ts',
    from: 'share.tokens - share.firstChunkTokens',
    to: 'share.tokens',
    tests: 'test/domain',
  },
  {
    rule: 'the drain is skipped',
    file: 'domain/next-step.ts',
    from: 'if (job.drained !== null) return requestsStep',
    to: 'if (job !== null) return requestsStep',
    tests: 'test/domain',
  },
  {
    rule: 'a stale gauge counts as fresh when the server is to be idle',
    file: 'domain/drain.ts',
    from: 'if (latest.fresh && latest.running !== null)',
    to: 'if (latest.running !== null)',
    tests: 'test/domain',
  },
  {
    rule: 'the window opens before every stream had a token',
    file: 'domain/ready.ts',
    from: 'started >= concurrency)?.at',
    to: 'started >= 1)?.at',
    tests: 'test/domain',
  },
  {
    rule: 'all first answers are of full length: restarts come in a storm',
    file: 'domain/stagger.ts',
    from: 'Math.max(1, Math.ceil(((place + offset) / concurrency) * maxOutputTokens))',
    to: 'maxOutputTokens + 0 * (place + offset)',
    tests: 'test/domain',
  },
  {
    rule: 'TTFT of the launch stands for that at load',
    file: 'domain/cell-summary.ts',
    from: "const source = steady.n >= minimumSteady ? 'steady' : 'launch'",
    to: "const source = steady.n < 0 ? 'steady' : 'launch'",
    tests: 'test/domain',
  },
  {
    rule: 'the interval is that of batch means alone',
    file: 'domain/interval.ts',
    from: 'Math.max(...known)',
    to: 'batchMeans.ci95',
    tests: 'test/domain',
  },
  {
    rule: 'first tokens, which the counter of decode steps does not have, are held against it',
    file: 'domain/double-entry.ts',
    from: '(first.countsFirstTokens ? 0 : firstTokens)',
    to: '0 * firstTokens',
    tests: 'test/domain',
  },
  {
    rule: 'a stream that was silent through all of the window is none',
    file: 'domain/pace.ts',
    from: 'if (share === null) return lastTokenAt === null ?',
    to: 'if (share === null) return lastTokenAt !== null ?',
    tests: 'test/domain',
  },
  {
    rule: 'stale gauges tell what runs',
    file: 'domain/judge-cell.ts',
    from: 'running === null || !fresh ? null',
    to: 'running === null ? null',
    tests: 'test/domain',
  },
  {
    rule: 'a prefill row beside which the server made tokens is valid',
    file: 'domain/end-job.ts',
    from: ', ...foreignInRow(job)]',
    to: ']',
    tests: 'test/domain',
  },
  {
    rule: 'more tokens on the server than arrived here go unnoticed',
    file: 'domain/judge-cell.ts',
    from: 'if (Math.abs(agreement - 1) <= allowed)',
    to: 'if (agreement - 1 <= 9 + allowed && agreement > 1 - allowed)',
    tests: 'test/domain',
  },
  {
    rule: 'requests of others that run in the window go unnoticed',
    file: 'domain/foreign-load.ts',
    from: 'const excess = 0.5',
    to: 'const excess = 500',
    tests: 'test/domain',
  },
  {
    rule: 'a client that did not keep up is not told',
    file: 'domain/judge-cell.ts',
    from: "kind: load > 1 ? 'client-limited' : 'client-busy'",
    to: "kind: load > 9 ? 'client-limited' : 'client-busy'",
    tests: 'test/domain',
  },
  {
    rule: 'one queued sample makes a cell requests-queued',
    file: 'domain/judge-cell.ts',
    from: 'queuedShare >= queuedShareLimit && queuedSamples > 1',
    to: 'queuedSamples > 0',
    tests: 'test/domain',
  },
  {
    rule: 'a warm prompt that was computed anew is not told',
    file: 'domain/cache-check.ts',
    from: 'const beyond = uncached.filter(tokens => tokens > limitTokens)',
    to: 'const beyond = uncached.filter(tokens => tokens < 0 * limitTokens)',
    tests: 'test/domain',
  },
  {
    rule: 'all streams are held against the KV cache of one data-parallel rank',
    file: 'domain/capacity.ts',
    from: 'Math.ceil(cell.concurrency / limits.dataParallelRanks)',
    to: 'cell.concurrency',
    tests: 'test/domain',
  },
  {
    rule: 'a failed look at the server counts as nothing running',
    file: 'server/sglang-metrics.ts',
    from: 'return figures.size === 0 ? null : sum([...figures.values()])',
    to: 'return sum([...figures.values()])',
    tests: 'test/server',
  },
  {
    rule: 'copies of a gauge from the ranks of a tensor-parallel group are added up',
    file: 'server/sglang-metrics.ts',
    from: 'return Math.max(...copies.filter',
    to: 'return sum(copies.filter',
    tests: 'test/server',
  },
]

const root = new URL('..', import.meta.url).pathname
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tokgrid-mutants-'))
for (const name of ['src', 'test', 'bin', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(folder, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const folders = [...new Set(mutants.map(({ tests }) => tests))]
const failing: string[] = []
for (const tests of folders) failing.push(...(await failingTests(tests)))
if (failing.length > 0) throw new Error(`tests fail without a broken rule: ${failing.join(', ')}`)
let unnoticed = 0
for (const { rule, file, from, to, tests } of mutants) {
  const path = join(folder, 'src', file)
  const code = readFileSync(path, 'utf8')
  if (!code.includes(from)) throw new Error(`${file} no longer holds: ${from}`)
  writeFileSync(path, code.replace(from, to))
  const failed = await failingTests(tests)
  writeFileSync(path, code)
  if (failed.length === 0) unnoticed += 1
  process.stdout.write(`${rule}\n  ${failed.length === 0 ? 'NOT NOTICED' : `noticed by: ${failed[0]}`}\n`)
}
rmSync(folder, { recursive: true })
process.stdout.write(`${mutants.length - unnoticed} of ${mutants.length} broken rules were noticed\n`)
process.exitCode = unnoticed === 0 ? 0 : 1

/** Names of the tests of a folder that fail. */
async function failingTests(tests: string): Promise<readonly string[]> {
  const words = ['--config', 'test/vitest.config.ts', '--project', 'unit', '--reporter=json', tests]
  const vitest = join(root, 'node_modules/.bin/vitest')
  const file = join(folder, 'report.json')
  // It fails whenever a test does.
  await run(vitest, ['run', ...words, `--outputFile=${file}`, '--testTimeout=10000', '--bail=1'], {
    cwd: folder,
  }).catch(() => {})
  const report: { testResults: { assertionResults: { status: string; fullName: string }[] }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName)
}
