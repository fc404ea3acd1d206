import type { CliContext } from './context.ts'
import { type Flag, runFlagList, targetFlags } from './flag-list.ts'

/** One command: how its words are read and what does it. */
export type CommandSpec = {
  readonly name: string
  readonly description: string
  /** Words that belong to no flag, as commander takes them. */
  readonly words?: readonly [name: string, description: string]
  readonly flags: readonly Flag[]
  /** Command lines that run as they stand, with what they do; for the help. */
  readonly examples?: readonly (readonly [command: string, what: string])[]
  readonly isDefault?: boolean
  /** Loads the command's code only when it is asked for. */
  readonly load: () => Promise<Command>
}

/** Does the command for the flags' texts and the other words; returns the exit code. Rejects with TokgridError. */
export type Command = (
  raw: Readonly<Record<string, unknown>>,
  words: readonly string[],
  context: CliContext,
) => Promise<number>

const simulatorFlags: readonly Flag[] = [
  ['--port <port>', 'port to listen on, 0 for any (default: 30000)'],
  ['--profile <name>', 'simulated server (default: qwen3.5-35b-a3b-h200)'],
  ['--speed <factor>', 'how many times as fast as the real one (default: 1)'],
  ['--seed <n>', 'seed of everything random (default: 1)'],
  ['--api-key <key>', 'key that clients have to send'],
  ['--admin-api-key <key>', 'key that flushing and aborting need, and no other will do'],
  ['--dialect <name>', 'version of SGLang to imitate: v0.4, v0.5.9 or v0.5.20 (default: v0.5.20)'],
  ['--dp <n>', 'data-parallel ranks (default: as the profile)'],
  ['--stream-interval <n>', 'output tokens from one chunk to the next (default: as the profile)'],
  ['--max-queued-requests <n>', 'requests that may wait before others get 503 (default: any number)'],
  ['--reasoning-parser <name>', 'tell the first part of an answer as thoughts'],
  [
    '--fault <kind[:name=n,name=n]>',
    'something that it does wrong, `list` names all; can be repeated',
    'repeat',
  ],
]

/** All commands, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    description: 'measure a server: prefill, then sustained decode',
    words: ['[url]', 'server to measure'],
    flags: runFlagList,
    isDefault: true,
    load: async () => (await import('./run-command.ts')).runCommand,
  },
  {
    name: 'demo',
    description: 'the same against the built-in simulated server',
    flags: [
      ...runFlagList.filter(flag => !targetFlags.slice(0, 3).includes(flag)),
      ['--profile <name>', 'simulated server (default: qwen3.5-35b-a3b-h200)'],
      ['--speed <factor>', 'how many times as fast as the real one (default: 1)'],
      ['--full', 'the whole matrix with full windows instead of a short one'],
    ],
    load: async () => (await import('./demo-command.ts')).demoCommand,
  },
  {
    name: 'simulate',
    description: 'a simulated SGLang server on a local port',
    flags: simulatorFlags,
    load: async () => (await import('./simulate-command.ts')).simulateCommand,
  },
]
