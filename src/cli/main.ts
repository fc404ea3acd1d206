import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { CommanderError } from 'commander'
import { TokgridError } from '../domain/failure.ts'
import { cleanText } from '../format/clean-text.ts'
import { commands } from './commands.ts'
import type { CliContext } from './context.ts'
import { exitCodeOfError, exitCodes } from './exit-code.ts'
import { buildProgram, refuseUnknownCommand } from './program.ts'
import { withoutSynonyms } from './synonyms.ts'

// The one place that catches: an operator's mistake gets one line, a bug its stack, and the terminal is given back first.
const { argv, env, stdin, stdout, stderr } = process
const context: CliContext = {
  version: packageVersion(),
  words: argv.slice(2),
  origins: [],
  env,
  stdin,
  stdout,
  stderr,
  crashHandlers: new Set(),
  crash: error => leave(report(error)),
}
// A reader that went away (`| head`), a terminal that closed or is the shell's again: the run goes on.
for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
process.on('uncaughtException', context.crash)
watchLauncher()

let exitCode: number = exitCodes.done
try {
  refuseUnknownCommand(context.words, commands)
  const program = buildProgram(commands, context, code => {
    exitCode = code
  })
  await program.parseAsync(withoutSynonyms(context.words), { from: 'user' })
} catch (error) {
  exitCode = report(error)
}
leave(exitCode)

/** Says what went wrong and returns the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done
    stderr.write(`tokgrid: ${cleanText(error.message.replace(/^error: /, ''))}; see tokgrid --help\n`)
    return exitCodes.usage
  }
  if (error instanceof TokgridError) {
    stderr.write(
      `tokgrid: ${cleanText(error.message)}${error.hint === null ? '' : `; ${cleanText(error.hint)}`}\n`,
    )
    return exitCodeOfError(error.code)
  }
  for (const handle of context.crashHandlers) handle()
  stderr.write(`tokgrid: a bug, please report it:\n${error instanceof Error ? error.stack : String(error)}\n`)
  return exitCodes.bug
}

/** Ends the process when what was written has left it. */
function leave(code: number): void {
  stdout.write('', () => stderr.write('', () => process.exit(code)))
}

/** When the launcher that started this process dies, its end of the pipe closes; then the run is stopped as by SIGTERM. */
function watchLauncher(): void {
  const descriptor = Number(env.TOKGRID_LAUNCHER_PIPE)
  if (!Number.isInteger(descriptor) || descriptor < 3) return
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false })
  pipe.on('error', () => {})
  pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume().unref()
}

function packageVersion(): string {
  // One level above dist/ in the package.
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return version
}
