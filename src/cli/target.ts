import { TokgridError } from '../domain/failure.ts'
import type { RunFlags } from './flags.ts'
import { readFileText } from './read-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const defaultUrl = 'http://127.0.0.1:30000'

/** Where to send requests: the url given in any of its ways, else the environment's, else SGLang's default port. */
export function targetUrl(flags: Pick<RunFlags, 'url' | 'host' | 'port'>, env: Environment): string {
  const { url, host, port } = flags
  if (url !== undefined && (host !== undefined || port !== undefined))
    throw new TokgridError('usage', 'a url and --host or --port say the same thing twice', 'give one of them')
  if (url !== undefined && !looksLikeUrl(url))
    throw new TokgridError('usage', `"${url}" is no url of a server`, 'give http://host:port')
  if (url !== undefined) return url
  if (host !== undefined || port !== undefined) {
    if (host?.includes('://') === true) return port === undefined ? host : `${host}:${port}`
    return `http://${host ?? '127.0.0.1'}:${port ?? 30000}`
  }
  return env.OPENAI_BASE_URL ?? defaultUrl
}

/** Whether a word may be a server: `host:port`, a name with a dot, `localhost`. */
export function looksLikeUrl(word: string): boolean {
  return /[.:/]|^localhost$/.test(word)
}

/** The API key from the flag, the file or the environment; `null` without one. Never printed. */
export function apiKey(flags: Pick<RunFlags, 'apiKey' | 'apiKeyFile'>, env: Environment): string | null {
  const key =
    flags.apiKey ??
    (flags.apiKeyFile === undefined ? env.OPENAI_API_KEY : readText(flags.apiKeyFile, '--api-key-file'))
  if (key === undefined || key.trim() === '') return null
  if (!/^[\x21-\x7e]+$/.test(key.trim()))
    throw new TokgridError(
      'usage',
      'the API key holds characters that no header can carry',
      'check where it was copied from',
    )
  return key.trim()
}

/** Reads a file that a flag names; throws TokgridError (usage) when it cannot be read or is empty. */
export function readText(path: string, flag: string): string {
  const text = readFileText(path, `${flag}: ${path}`)
  if (text.trim() !== '') return text
  throw new TokgridError('usage', `${flag}: ${path} is empty`)
}
