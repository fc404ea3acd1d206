import { TokgridError } from '../domain/failure.ts'
import type { SimulatorOptions } from '../simulator/server-spec.ts'
import { type Simulator, startSimulator } from '../simulator/start.ts'
import type { Command } from './commands.ts'
import { type DemoFlags, demoFlags, readFlags } from './flags.ts'
import { measure } from './run-command.ts'
import { withUrl } from './word-lists.ts'

/**
 * What the demo measures unless told otherwise: a matrix that fills in within three minutes, with answers short enough
 * to see restarts in a short window. `--full` measures as `run` does.
 */
const shortDemo = { contexts: [8 * 1024, 32 * 1024, 128 * 1024], durationSeconds: 4, maxOutputTokens: 1024 }

/** `tokgrid demo`: the same as run, against a simulated server in a thread of its own. Returns the exit code. */
export const demoCommand: Command = async (given, _words, context) => {
  const raw = withUrl(given, undefined)
  const flags = readFlags(demoFlags, raw)
  const { profile, speed, seed, apiKey } = flags
  const server = await startServer({ profile, speed, seed, apiKey })
  try {
    const note: DemoFlags['note'] = [
      ['server', `simulated, profile ${profile}, speed ${speed}`],
      ...flags.note,
    ]
    // What the GPUs here do has nothing to do with a simulated server.
    const hardware = flags.hardware === 'auto' ? 'off' : flags.hardware
    const asked = { ...(flags.full ? flags : shortened(flags, raw)), note, hardware }
    return await measure(asked, server.url, context)
  } finally {
    await server.close()
  }
}

function shortened(flags: DemoFlags, raw: unknown): DemoFlags {
  return {
    ...flags,
    contexts: flags.contexts ?? shortDemo.contexts,
    duration: isGiven(raw, 'duration') ? flags.duration : shortDemo.durationSeconds,
    maxTokens: isGiven(raw, 'maxTokens') ? flags.maxTokens : shortDemo.maxOutputTokens,
  }
}

/** Starts the simulated server; throws TokgridError (usage) that says what there is, for what is unknown or taken. */
export async function startServer(options: SimulatorOptions): Promise<Simulator> {
  try {
    return await startSimulator(options)
  } catch (error) {
    throw new TokgridError('usage', error instanceof Error ? error.message : String(error))
  }
}

function isGiven(raw: unknown, flag: string): boolean {
  return typeof raw === 'object' && raw !== null && flag in raw
}
