import { TokgridError } from '../domain/failure.ts'
import type { ProxySettings } from '../domain/proxy-settings.ts'
import type { Environment } from './target.ts'
import { isThisMachine } from './this-machine.ts'

/**
 * The proxies of the environment for a server at that base url; `null` without one, and always for this machine. Throws
 * TokgridError (usage) for a proxy that is no url.
 */
export function proxySettings(url: string, env: Environment): ProxySettings | null {
  const http = proxyUrl(env, 'HTTP_PROXY')
  const https = proxyUrl(env, 'HTTPS_PROXY')
  if ((http === null && https === null) || isThisMachine(url)) return null
  return { http, https, except: env.no_proxy ?? env.NO_PROXY ?? '' }
}

/** As in other tools the lower-case variable counts first, and a host alone is one that speaks HTTP. */
function proxyUrl(env: Environment, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): string | null {
  const given = (env[name.toLowerCase()] ?? env[name] ?? '').trim()
  if (given === '') return null
  const url = URL.parse(given.includes('://') ? given : `http://${given}`)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url.href
  throw new TokgridError(
    'usage',
    `${name} is no url of an HTTP proxy`,
    'set it to http://host:port, or unset it',
  )
}
