import { parentPort, workerData } from 'node:worker_threads'
import { LoadThread } from './load-thread.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'

// The entry of a load thread: messages in, messages out.
const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread only')
const setup: WorkerSetup = workerData
const thread = new LoadThread(setup, (message: FromWorker) => port.postMessage(message))
port.on('message', (message: ToWorker) => {
  void thread.handle(message)
})
