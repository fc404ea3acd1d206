import { TokgridError } from '../domain/failure.ts'
import { cleanText } from './clean-text.ts'
import { redactText } from './redact.ts'

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i
const example = 'give http://host:port'

/**
 * A server's base url without a slash at its end: takes `host:port`, with `/v1` or without, and keeps a path in front of it.
 * Throws TokgridError for what is no such url.
 */
export function serverUrl(given: string): string {
  const text = scheme.test(given.trim()) ? given.trim() : `http://${given.trim()}`
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TokgridError('usage', `"${cleanText(redactText(text))}" is no url of a server`, example)
  // They would end in result files.
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new TokgridError(
      'usage',
      'a user name, password or query in the url is not supported',
      'give the key by --api-key or --header',
    )
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}
