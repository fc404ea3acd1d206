import { onTestFinished } from 'vitest'
import { type Connection, type ConnectOptions, connectServer } from '../../src/server/connect.ts'

const plain = { apiKey: null, headers: {}, insecure: false, model: null, engine: null, timeoutMs: 4000 }

/** A connection that is closed with its test. */
export async function connectTo(url: string, options: Partial<ConnectOptions> = {}): Promise<Connection> {
  const connection = await connectServer({ ...plain, ...options, url })
  onTestFinished(() => connection.close())
  return connection
}
