import { Command, Option } from 'commander'
import type { CommandSpec } from './commands.ts'
import type { CliContext } from './context.ts'
import type { Flag } from './flag-list.ts'

/** Names that people already type for the same thing; the right one is documented. */
const synonyms: Readonly<Record<string, string>> = {
  '--base-url': '--url',
  '--input-len': '--contexts',
  '--max-concurrency': '--concurrency',
  '--output-len': '--max-tokens',
  '--no-tui': '--headless',
}

/** The command line: parses words, then does one of `commands` and hands its exit code to `done`. */
export function buildProgram(
  commands: readonly CommandSpec[],
  context: CliContext,
  done: (code: number) => void,
): Command {
  const program = new Command('tokgrid')
    .description(
      'Measures an LLM inference server over context length and concurrency, live, with evidence for every cell.',
    )
    .version(context.version)
    .helpCommand(false)
    .addHelpText('after', examples)
  for (const spec of commands) {
    const command = program.command(spec.name, { isDefault: spec.isDefault ?? false })
    addFlags(command.description(spec.description), spec.flags)
    if (spec.words !== undefined) command.argument(...spec.words)
    if (spec.examples !== undefined) command.addHelpText('after', exampleText(spec.examples))
    command.action(async () => {
      const raw = command.opts<Record<string, unknown>>()
      const run = await spec.load()
      done(await run(raw, command.args, context))
    })
  }
  for (const command of [program, ...program.commands])
    command
      .configureHelp({ optionDescription: option => option.description })
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: text => context.stdout.write(text) })
  return program
}

/** The words with synonyms replaced, `--flag=value` included. */
export function withoutSynonyms(words: readonly string[]): string[] {
  return words.map(word => {
    const [flag = '', ...value] = word.split('=')
    const name = synonyms[flag]
    return name === undefined ? word : [name, ...value].join('=')
  })
}

const examples = `
Examples:
  tokgrid demo                          the simulated server, no GPU needed
  tokgrid http://127.0.0.1:30000        the whole matrix, live
  tokgrid --contexts 8k,32k --concurrency 1,8,32 --duration 20s
  tokgrid --headless -o result.json     for scripts; progress on stderr
  tokgrid --dry-run                     what would be measured, and what does not fit

Each flag can come from the environment: TOKGRID_CONTEXTS=8k,16k for --contexts.
`

function exampleText(lines: NonNullable<CommandSpec['examples']>): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  return `\nExamples:\n${lines.map(([command, what]) => `  ${command.padEnd(width)}  ${what}\n`).join('')}`
}

function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const [names, description, repeat] of flags) {
    const option = new Option(names, description)
    if (repeat !== undefined)
      option.argParser((value, previous: unknown) => [...(Array.isArray(previous) ? previous : []), value])
    // `--no-color` has the environment's own NO_COLOR.
    if (!option.negate) option.env(`TOKGRID_${option.name().replaceAll('-', '_').toUpperCase()}`)
    command.addOption(option)
  }
}
