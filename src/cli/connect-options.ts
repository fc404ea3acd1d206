import type { ConnectOptions } from '../server/connect.ts'
import { serverUrl } from '../server/server-url.ts'
import type { RunFlags } from './flags.ts'
import { proxySettings } from './proxy.ts'
import { apiKey, type Environment } from './target.ts'

type TargetFlags = Pick<RunFlags, 'apiKey' | 'apiKeyFile' | 'header' | 'insecure' | 'model' | 'engine'>

/** How to reach the server at `url`, by the flags and the environment. Holds the API key. */
export function connectOptions(flags: TargetFlags, url: string, env: Environment): ConnectOptions {
  return {
    url,
    apiKey: apiKey(flags, env),
    headers: Object.fromEntries(flags.header),
    insecure: flags.insecure,
    model: flags.model ?? null,
    engine: flags.engine ?? null,
    proxy: proxySettings(serverUrl(url), env),
  }
}
