import { TokgridError } from '../domain/failure.ts'
import type { Command } from './commands.ts'
import { completionScript, shells } from './completion.ts'

/** `tokgrid completion bash|zsh|fish`: prints the shell's script. Returns the exit code. */
export const completionCommand: Command = async (_raw, [word], { stdout }) => {
  const shell = shells.find(one => one === word)
  if (shell === undefined)
    throw new TokgridError('usage', `completion is for ${shells.join(', ')}`, 'try tokgrid completion bash')
  const { commands } = await import('./commands.ts')
  stdout.write(completionScript(shell, commands))
  return 0
}
