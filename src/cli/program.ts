import { Command } from 'commander'
import { TokgridError } from '../domain/failure.ts'
import type { CommandSpec } from './commands.ts'
import type { CliContext } from './context.ts'
import { configFlag, headingOf } from './flag-list.ts'
import { flagValues, withOrigin } from './flag-values.ts'
import { nearest } from './nearest.ts'
import { optionOf } from './option.ts'
import { looksLikeUrl } from './target.ts'

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
    .helpCommand('help [command]', 'what a command does, its flags and examples')
    .addHelpText('after', programExamples(commands))
  // One file may serve several commands: each takes from it what it knows.
  const configurable = commands
    .filter(({ flags }) => flags.includes(configFlag))
    .flatMap(({ flags }) => flags.filter(flag => flag !== configFlag).map(optionOf))
  for (const spec of commands) {
    const command = program.command(spec.name, { isDefault: spec.isDefault ?? false })
    command.description(spec.description)
    for (const flag of spec.flags) {
      const heading = headingOf(flag)
      const option = optionOf(flag)
      command.addOption(heading === null ? option : option.helpGroup(heading))
    }
    if (spec.words !== undefined) command.argument(...spec.words)
    if (spec.examples !== undefined) command.addHelpText('after', exampleText(spec.examples))
    command.action(async () => {
      const { raw, origins } = await flagValues(command, configurable, context.env)
      const run = await spec.load()
      try {
        done(await run(raw, command.args, { ...context, origins }))
      } catch (error) {
        throw withOrigin(error, origins)
      }
    })
  }
  for (const command of [program, ...program.commands])
    command
      .configureHelp({ optionDescription: option => option.description })
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: text => context.stdout.write(text) })
  return program
}

/**
 * The default command takes a url as its word: what is neither one nor a command was meant as a command. Throws
 * TokgridError (usage) that names the nearest.
 */
export function refuseUnknownCommand([first]: readonly string[], commands: readonly CommandSpec[]): void {
  if (first === undefined || first.startsWith('-') || looksLikeUrl(first)) return
  const names = ['help', ...commands.map(({ name }) => name)]
  if (names.includes(first)) return
  const near = nearest(first, names)
  throw new TokgridError(
    'usage',
    `"${first}" is neither a command nor a url`,
    near === null ? 'see tokgrid --help' : `did you mean ${near}?`,
  )
}

/** The first example of each command, and all of the default one. */
function programExamples(commands: readonly CommandSpec[]): string {
  const lines = commands.flatMap(({ isDefault, examples = [] }) =>
    isDefault ? examples : examples.slice(0, 1),
  )
  return `${exampleText(lines)}
Each flag can come from the environment (TOKGRID_CONTEXTS=8k,16k for --contexts) or from the file of --config
(contexts: 8k,16k). The command line counts first, then the environment, then the file.
`
}

function exampleText(lines: NonNullable<CommandSpec['examples']>): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  return `\nExamples:\n${lines.map(([command, what]) => `  ${command.padEnd(width)}  ${what}\n`).join('')}`
}
