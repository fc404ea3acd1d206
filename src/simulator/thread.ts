import { parentPort, workerData } from 'node:worker_threads'
import { createServer } from './create-server.ts'
import type { ServerSpec } from './server-spec.ts'
import type { ThreadReport } from './start.ts'

const spec: ServerSpec = workerData
const report = (message: ThreadReport) => parentPort?.postMessage(message)

createServer(spec)
  .listen(spec.port)
  .then(
    port => report({ kind: 'listening', port }),
    (error: Error) =>
      report({
        kind: 'failed',
        code: 'code' in error ? String(error.code) : '',
        message: error.message,
      }),
  )
