import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

type Import = {
  /** The file that imports, from the source folder: `tui/screen.tsx`. */
  readonly by: string
  readonly folder: string
  /** One of our own files, from the source folder; `null`: a package. */
  readonly file: string | null
  /** `node:fs`, `ink`; `null`: one of our own files. */
  readonly module: string | null
  readonly isTypeOnly: boolean
}

const source = new URL('../src/', import.meta.url)
const files = globSync('**/*.{ts,tsx}', { cwd: source.pathname })
  .map(file => file.replaceAll('\\', '/'))
  .sort()
const text = new Map(files.map(file => [file, readFileSync(new URL(file, source), 'utf8')]))
const folders = [...new Set(files.map(folderOf))]
const imports = files.flatMap(file => importsOf(file, text.get(file) ?? ''))

/** What a folder may import beside its own files. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  format: [],
  runner: ['domain/'],
  load: ['domain/', 'runner/ports.ts'],
  server: ['domain/', 'runner/ports.ts'],
  hardware: ['domain/', 'runner/ports.ts'],
  result: ['domain/'],
  report: ['result/', 'format/', 'domain/'],
  // What a status, a reason and a limit mean is said in one place.
  tui: [
    'domain/',
    'format/',
    'runner/run.ts',
    'report/status-text.ts',
    'report/reason-text.ts',
    'report/limit-text.ts',
  ],
  simulator: [],
  doctor: ['domain/', 'format/', 'runner/ports.ts', 'load/', 'server/'],
  cli: [''],
}

function importsOf(by: string, code: string): Import[] {
  const folder = folderOf(by)
  const found = [
    ...code.matchAll(/^(?:import|export)\b([\w\s$,*{}]*)\bfrom\s*['"]([^'"]+)['"]/gm),
    ...code.matchAll(/^import\s*()['"]([^'"]+)['"]/gm),
    ...code.matchAll(/\bimport\(\s*()['"]([^'"]+)['"]/g),
  ]
  return found.map(([, clause = '', name = '']) => ({
    by,
    folder,
    file: name.startsWith('.') ? posix.join(posix.dirname(by), name) : null,
    module: name.startsWith('.') ? null : name,
    isTypeOnly: clause.trimStart().startsWith('type '),
  }))
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function isBuiltin(module: string): boolean {
  return module.startsWith('node:') || builtinModules.includes(module)
}

/** `react/jsx-runtime` and `react` are one package. */
function packageOf(module: string): string {
  return module.split('/')[0] ?? module
}

/** Code without comments and texts. */
function bare(code: string): string {
  return code
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/\/\/.*$/gm, '')
}

const filesWith = (pattern: RegExp, wanted: (file: string) => boolean) =>
  files.filter(file => wanted(file) && pattern.test(bare(text.get(file) ?? '')))
const described = (found: readonly Import[]) =>
  found.map(one => `${one.by} imports ${one.file ?? one.module}`)
const modulesOutside = (wanted: (module: string) => boolean, folders: readonly string[]) =>
  described(
    imports.filter(({ module, folder }) => module !== null && wanted(module) && !folders.includes(folder)),
  )

describe('what this test reads', () => {
  test('is all kinds of imports, with what they import', () => {
    const code = [
      "import { a } from './a.ts'",
      'import {\n  type B,\n  c,\n} from "../domain/c.ts"',
      "import type { D } from 'ink'",
      "export { e } from './e.ts'",
      "import 'node:fs'",
      "const later = await import('../cli/f.ts')",
      "const word = 'import'",
      "export const kind = 'from'",
      "export type Kind = 'from' | 'to'",
    ].join('\n')
    expect(importsOf('tui/x.ts', code).map(one => [one.file ?? one.module, one.isTypeOnly])).toEqual([
      ['tui/a.ts', false],
      ['domain/c.ts', false],
      ['ink', true],
      ['tui/e.ts', false],
      ['node:fs', false],
      ['cli/f.ts', false],
    ])
  })

  test('is code, not comments and texts', () => {
    const code = "const a = 'process.env' // process.env\n/* process.exit() */ const url = 'http://x' + b"
    expect(bare(code)).not.toMatch(/process/)
    expect(bare(code)).toMatch(/\+ b/)
  })

  test('is the whole source: every import of our own leads to a file that is there', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(imports.length).toBeGreaterThan(files.length)
    expect(described(imports.filter(({ file }) => file !== null && !text.has(file)))).toEqual([])
  })
})

test('every folder has its place', () => {
  expect(folders.filter(folder => mayImport[folder] === undefined)).toEqual([])
})

describe.each(folders)('%s', folder => {
  test('imports only what it may', () => {
    const allowed = [`${folder}/`, ...(mayImport[folder] ?? [])]
    const wrong = imports.filter(
      one =>
        one.folder === folder && one.file !== null && !allowed.some(start => one.file?.startsWith(start)),
    )
    expect(described(wrong)).toEqual([])
  })
})

test('a view holds a run by its type alone', () => {
  expect(
    described(
      imports.filter(one => one.folder === 'tui' && one.file?.startsWith('runner/') && !one.isTypeOnly),
    ),
  ).toEqual([])
})

test('domain and format use no packages, and with the screen nothing of Node', () => {
  expect(
    described(
      imports.filter(({ folder, module }) => module !== null && ['domain', 'format'].includes(folder)),
    ),
  ).toEqual([])
  expect(
    described(
      imports.filter(({ folder, module }) => module !== null && folder === 'tui' && isBuiltin(module)),
    ),
  ).toEqual([])
})

test('ink and react are for the screen', () => {
  expect(modulesOutside(module => ['ink', 'react'].includes(packageOf(module)), ['tui', 'cli'])).toEqual([])
})

test('threads are for the load, the simulator and the command line', () => {
  const isThreads = (module: string) => module.replace('node:', '') === 'worker_threads'
  expect(modulesOutside(isThreads, ['load', 'simulator', 'cli'])).toEqual([])
})

test('the process belongs to the command line', () => {
  expect(modulesOutside(module => module.replace('node:', '') === 'process', ['cli'])).toEqual([])
  expect(filesWith(/(?<![.\w$])process\s*(?:\?\.|\.|\[)/, file => folderOf(file) !== 'cli')).toEqual([])
})

test('what decides and what reports reads no clock, rolls no dice and starts nothing', () => {
  const impure =
    /\bnew Date\b|\bDate\.now\b|\bperformance\b|\bMath\.random\b|\bcrypto\b|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(/
  const pure = ['domain', 'format', 'result', 'report']
  expect(filesWith(impure, file => pure.includes(folderOf(file)))).toEqual([])
})

test('no file only passes on what others export', () => {
  expect(files.filter(file => /(?:^|\/)(?:index|utils|helpers|common)\.tsx?$/.test(file))).toEqual([])
})
