import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../src/cli/commands.ts'
import { completionScript, type Shell, shells } from '../../src/cli/completion.ts'

const load = async () => async () => 0
const specs: readonly CommandSpec[] = [
  {
    name: 'run',
    description: 'measure; the server’s',
    words: ['[url]', 'server'],
    isDefault: true,
    flags: [
      ['-o, --output <file>', "the user's file [a:b]"],
      ['--endpoint <chat|completions>', 'endpoint'],
      ['--force', 'run all'],
      ['--header <name: value>', 'header', 'repeat'],
    ],
    load,
  },
  { name: 'replay', description: 'play again', words: ['<slow|fast>', 'how'], flags: [], load },
]

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tokgrid-completion-'))
  for (const shell of shells) writeFileSync(join(folder, shell), completionScript(shell, specs))
})

afterAll(() => rmSync(folder, { recursive: true }))

const has = (shell: Shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0

function runIn(shell: Shell, script: string): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(line => line !== '')
}

describe.skipIf(!has('bash'))('bash', () => {
  /** What bash offers for the last of the words. */
  const offers = (...words: string[]) =>
    runIn(
      'bash',
      `source ./bash; COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tokgrid; printf '%s\\n' "\${COMPREPLY[@]}"`,
    )

  test.each([
    ['commands first', ['tokgrid', 're'], ['replay']],
    [
      'flags of the command',
      ['tokgrid', 'run', '--'],
      ['--output', '--endpoint', '--force', '--header', '--help'],
    ],
    ['flags of the default command', ['tokgrid', '--en'], ['--endpoint']],
    ['short flags', ['tokgrid', 'run', '-o'], ['-o']],
    ['no flags of another command', ['tokgrid', 'replay', '--en'], []],
    ['fixed values', ['tokgrid', 'run', '--endpoint', 'c'], ['chat', 'completions']],
    ['fixed values of the default command', ['tokgrid', '--endpoint', 'comp'], ['completions']],
    ['no flags where a value stands', ['tokgrid', 'run', '--output', ''], []],
    ['fixed words', ['tokgrid', 'replay', 's'], ['slow']],
  ])('completes %s', (_, words, offered) => {
    expect(offers(...words)).toEqual(offered)
  })

  test('leaves files to the shell', () => {
    expect(runIn('bash', 'source ./bash; complete -p tokgrid')).toEqual([
      'complete -o default -F _tokgrid tokgrid',
    ])
  })
})

describe.skipIf(!has('fish'))('fish', () => {
  const offers = (line: string) =>
    runIn('fish', `source ./fish; complete -C '${line}'`).map(offer => offer.split('\t')[0])

  test.each([
    ['commands first', 'tokgrid re', ['replay']],
    ['flags of the default command', 'tokgrid --en', ['--endpoint']],
    ['fixed values', 'tokgrid run --endpoint c', ['chat', 'completions']],
    ['no flags of another command', 'tokgrid replay --en', []],
    ['fixed words', 'tokgrid replay s', ['slow']],
  ])('completes %s', (_, line, offered) => {
    expect(offers(line)).toEqual(offered)
  })
})

test.skipIf(!has('zsh'))('the script of zsh is one that zsh can read', () => {
  expect(spawnSync('zsh', ['-n', join(folder, 'zsh')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})
