const listFlags = ['contexts', 'concurrency', 'prefillContexts'] as const

type Raw = Readonly<Record<string, unknown>>

/** Lists joined to one text; a url that a list swallowed, or that stood alone, becomes the url. */
export function withUrl(raw: Raw, url: string | undefined): Record<string, unknown> {
  const flags: Record<string, unknown> = { ...raw }
  for (const name of listFlags) {
    const words = flags[name]
    if (Array.isArray(words)) flags[name] = words.filter(word => !isUrl(word)).join(',')
  }
  const given = url ?? swallowedUrl(raw)
  return given === undefined ? flags : { ...flags, url: given }
}

/** The url behind a list: a list of words takes all that follow it. */
export function swallowedUrl(raw: Raw): unknown {
  return listFlags.flatMap(name => raw[name]).find(isUrl)
}

function isUrl(word: unknown): boolean {
  return typeof word === 'string' && /:\/\/|:\d+(\/|$)/.test(word)
}
