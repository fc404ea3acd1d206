import type { LoadTarget } from '../../src/load/messages.ts'

/** A server of a test, by its origin; it is asked as SGLang is. */
export function targetAt(origin: string, changes: Partial<LoadTarget> = {}): LoadTarget {
  return {
    origin,
    path: '/v1/chat/completions',
    endpoint: 'chat',
    openPath: '/v1/models',
    abortPath: '/abort_request',
    headers: {},
    insecure: false,
    proxy: null,
    model: 'tiny',
    ignoreEos: true,
    temperature: null,
    extraBody: {},
    stallTimeoutMs: 60_000,
    firstTokenTimeoutMs: 60_000,
    ...changes,
  }
}
