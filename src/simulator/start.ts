import { Worker } from 'node:worker_threads'
import { type SimulatorOptions, specOf } from './server-spec.ts'

/** A server that runs until it is closed, or dies of a fault. */
export type Simulator = {
  readonly url: string
  /** Resolves when it has been closed or has died. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** What the server's thread says, once. */
export type ThreadReport =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/**
 * Runs a simulated SGLang server on 127.0.0.1, in a thread of its own, so that it never takes time from its clients. Rejects when
 * the profile, the dialect or a fault is unknown or the port is taken, with a message that says so.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const workerData = specOf(options)
  // The published bundle is flat: the thread's entry lies beside this code under a name of its own.
  const thread = import.meta.url.endsWith('.ts') ? './thread.ts' : './simulator-thread.js'
  const worker = new Worker(new URL(thread, import.meta.url), { workerData })
  const report = await new Promise<ThreadReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  worker.removeAllListeners('error')
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  if (report.kind === 'listening')
    return {
      url: `http://127.0.0.1:${report.port}`,
      ended,
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
