import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** The built bin with these words; resolves when it has ended. */
export async function tokgrid(words: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  return startTokgrid(words, env).finished
}

/** The built bin, started; `child` takes signals. */
export function startTokgrid(
  words: readonly string[],
  env: Record<string, string> = {},
  bin = 'bin/tokgrid.js',
) {
  const child = spawn(process.execPath, [bin, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, finished: collect(child) }
}

async function collect(child: ChildProcess): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', bytes => {
    stdout += bytes
  })
  child.stderr?.on('data', bytes => {
    stderr += bytes
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** `tokgrid simulate` with these words, on any free port. */
export async function startSimulateCommand(words: readonly string[]) {
  const { child, finished } = startTokgrid(['simulate', '--port', '0', ...words])
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).replace('listening on ', '').trim(), finished, stop: () => child.kill() }
}

const truth = z.object({
  requests: z.number(),
  tokens: z.number(),
  aborts: z.number(),
  mostRunning: z.number(),
  running: z.number(),
  waiting: z.number(),
})

export type TruthServer = {
  readonly url: string
  /** What the server itself says it did and does. */
  truth(): Promise<z.infer<typeof truth>>
  stop(): void
}

/** A server of known truth in a process of its own, see truth-server.ts. */
export async function startTruthServer(options: Record<string, unknown> = {}): Promise<TruthServer> {
  const child = spawn(process.execPath, ['test/support/truth-server.ts', JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  return {
    url,
    truth: async () => truth.parse(await (await fetch(`${url}/truth`)).json()),
    stop: () => {
      child.kill()
    },
  }
}
