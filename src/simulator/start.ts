import { Worker } from 'node:worker_threads'
import { profiles } from './profiles.ts'

/** Which server to simulate, and where. */
export type SimulatorOptions = {
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly profile: string
  /** Every duration is divided by it. */
  readonly speed?: number
  readonly seed?: number
  readonly apiKey?: string
}

/** A server that runs until it is closed. */
export type Simulator = { readonly url: string; close(): Promise<void> }

/** What the server's thread is started with. */
export type ThreadOptions = {
  readonly port: number
  readonly profile: string
  readonly speed: number
  readonly seed: number
  readonly apiKey: string | null
}

/** What the server's thread says, once. */
export type ThreadReport =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** Names that `startSimulator` takes. */
export const profileNames: readonly string[] = profiles.map(({ name }) => name)

/**
 * Runs a simulated SGLang server on 127.0.0.1, in a thread of its own, so that it never takes time from its clients. Rejects when
 * the profile is unknown or the port is taken.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  if (!profileNames.includes(options.profile))
    throw new Error(`unknown profile "${options.profile}"; there are ${profileNames.join(', ')}`)
  const workerData: ThreadOptions = {
    port: options.port ?? 0,
    profile: options.profile,
    speed: options.speed ?? 1,
    seed: options.seed ?? 1,
    apiKey: options.apiKey ?? null,
  }
  // The published bundle is flat: the thread's entry lies beside this code under a name of its own.
  const thread = import.meta.url.endsWith('.ts') ? './thread.ts' : './simulator-thread.js'
  const worker = new Worker(new URL(thread, import.meta.url), { workerData })
  const report = await new Promise<ThreadReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  worker.removeAllListeners('error')
  if (report.kind === 'listening')
    return {
      url: `http://127.0.0.1:${report.port}`,
      close: async () => {
        await worker.terminate()
      },
    }
  await worker.terminate()
  throw new Error(
    report.code === 'EADDRINUSE'
      ? `port ${workerData.port} is in use`
      : `the simulated server could not listen on port ${workerData.port}: ${report.message}`,
  )
}
