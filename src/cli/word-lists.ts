const listFlags = ['contexts', 'concurrency', 'prefillContexts'] as const

/** Lists joined to one text; a url that a list swallowed, or that stood alone, becomes the url. */
export function withUrl(
  raw: Readonly<Record<string, unknown>>,
  url: string | undefined,
): Record<string, unknown> {
  const flags: Record<string, unknown> = { ...raw, ...(url === undefined ? {} : { url }) }
  for (const name of listFlags) {
    const words = flags[name]
    if (!Array.isArray(words)) continue
    const isUrl = (word: unknown) => typeof word === 'string' && /:\/\/|:\d+(\/|$)/.test(word)
    flags[name] = words.filter(word => !isUrl(word)).join(',')
    const swallowed: unknown = words.find(isUrl)
    if (swallowed !== undefined) flags.url ??= swallowed
  }
  return flags
}
