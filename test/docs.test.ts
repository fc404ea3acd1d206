import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commands } from '../src/cli/commands.ts'
import { exitCodes } from '../src/cli/exit-code.ts'
import { withoutSynonyms } from '../src/cli/synonyms.ts'
import { keyBindings } from '../src/tui/keys.ts'
import { marks, signs } from '../src/tui/marks.ts'

// What the documents name is there.

const root = new URL('../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const isThere = (file: string) => existsSync(new URL(file, root))
const documents = [
  'README.md',
  'METHODOLOGY.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'src/simulator/README.md',
]
const names = z.record(z.string(), z.string())
const { scripts, dependencies, devDependencies } = z
  .looseObject({ scripts: names, dependencies: names, devDependencies: names })
  .parse(JSON.parse(read('package.json')))

/** What stands in `code` outside of blocks. */
function codeWords(text: string): readonly string[] {
  return [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

describe.each(documents)('%s', document => {
  const text = read(document)

  test('links to files that are there', () => {
    const folder = new URL(document, root)
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter(link => !existsSync(new URL(link, folder)))).toEqual([])
  })

  test('names paths that are there', () => {
    const paths = codeWords(text).filter(word => /^(src|test|bin|screenshots)\/[\w./-]+$/.test(word))
    expect(paths.filter(path => !isThere(path))).toEqual([])
  })

  test('names npm scripts that are there', () => {
    const named = [...text.matchAll(/npm run (?:--\S+ )?([\w:-]+)/g)].map(([, script = '']) => script)
    expect(named.filter(script => !(script in scripts))).toEqual([])
  })
})

test('the README and the method name only flags that there are', () => {
  const ours = new Set(
    commands.flatMap(({ flags }) => flags.flatMap(([names]) => names.match(/--?[a-z][\w-]*/g) ?? [])),
  )
  const used = ['README.md', 'METHODOLOGY.md']
    .flatMap(document => read(document).match(/(?<![\w-])--[a-z][\w-]*/g) ?? [])
    .flatMap(flag => withoutSynonyms([flag]))
  const known = [...ours, '--help', ...serverFlags]
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter(flag => !known.includes(flag))).toEqual([])
})

/** Of the inference server, not ours. */
const serverFlags = ['--enable-metrics', '--enable-cache-report']

test('the README tells every exit code', () => {
  const told = [...read('README.md').matchAll(/^\| (\d+)(?:, (\d+))? \|/gm)].flatMap(([, a, b]) =>
    b === undefined ? [Number(a)] : [Number(a), Number(b)],
  )
  expect(told).toEqual([...new Set(Object.values(exitCodes))].sort((a, b) => a - b))
})

test('the README tells every mark and sign of the grid, and no key that there is not', () => {
  const [, grid = ''] = read('README.md').split('## Read the grid')
  const codes = codeWords(grid.split('\n## ')[0] ?? '')
  const symbols = [...Object.values(marks), ...Object.values(signs)].map(({ symbol }) => symbol)
  const shown = codes.join('')
  expect(symbols.filter(symbol => symbol !== ' ' && !shown.includes(symbol))).toEqual([])
  const keys = keyBindings.flatMap(binding => Object.keys(binding.keys))
  expect(codes.filter(code => /^(\w|Enter|Esc|Tab|Ctrl-\w|\?)$/.test(code) && !keys.includes(code))).toEqual(
    [],
  )
})

describe('ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md')
  const section = (title: string) => text.split(`\n## ${title}`)[1]?.split('\n## ')[0] ?? ''

  test('has each folder of the source in its map', () => {
    const folders = readdirSync(new URL('src', root), { withFileTypes: true }).filter(one =>
      one.isDirectory(),
    )
    expect(
      folders.map(({ name }) => `src/${name}`).filter(path => !section('Map').includes(`\`${path}\``)),
    ).toEqual([])
  })

  test('names files of the source where to look', () => {
    let folder = ''
    const missing = codeWords(section('Where to look')).filter(word => {
      if (!/^[\w*./-]+\.tsx?$/.test(word)) return false
      if (word.includes('/')) folder = word.slice(0, word.lastIndexOf('/') + 1)
      const path = word.includes('/') ? word : folder + word
      const [start = '', end = ''] = path.slice(folder.length).split('*')
      return path.includes('*')
        ? !readdirSync(new URL(folder, root)).some(name => name.startsWith(start) && name.endsWith(end))
        : !isThere(path)
    })
    expect(missing).toEqual([])
  })

  test('gives a reason for each dependency, and for none that is not there', () => {
    const rows = [...section('Dependencies').matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
    const named = rows
      .filter(cell => cell !== 'package' && !cell.startsWith('---'))
      .flatMap(cell => cell.replace(/ \(dev\)$/, '').split(', '))
    expect(named.sort()).toEqual([...Object.keys(dependencies), ...Object.keys(devDependencies)].sort())
  })
})
