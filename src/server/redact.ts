const redacted = '<redacted>'
/** `token` only as the last word: `hf_token` is a secret, `max_total_num_tokens` and `tokenizer_path` are not. */
const secretName = /api[-_]?key|secret|passw|authorization|credential|(^|[-_])token$/i
/** Python takes abbreviated flags; a header may be a key; what names a file is no secret. */
const secretFlag =
  /^--?(?!.*-(file|path|name)$)(api(-k(ey?)?)?|.*api[-_]?key.*|.*(secret|passw|credential).*|(.*-)?token|header|H)$/i
const variable = /^(["']?(?:\w*(?:api_?key|secret|passw\w*|credentials?)|(?:\w*_)?token))=.*/is
/** In JSON. */
const secretField = /["']\w*(api_?key|secret|passw|token["']|auth)/i
const bearer = /(bearer\s+)[^\s"']+/gi
const userInfo = /(:\/\/)[^/@\s]+@/g
const shellWord = /(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g

/** A command's words without secrets: the values of secret flags, variables and headers, `user:password@`. */
export function redactWords(words: readonly string[]): string[] {
  return words.map(wordRedactor())
}

/** Text that may hold a command, without the secrets in it. */
export function redactText(text: string): string {
  return text.replace(shellWord, wordRedactor()).replace(bearer, `$1${redacted}`)
}

/** The settings without secrets: what stands under a secret's name, and keys inside of commands, become `<redacted>`. */
export function redactSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      secretName.test(key) ? redactAll(value) : redactInside(value),
    ]),
  )
}

/** Some servers take several keys: all words after a secret flag are hidden up to the next flag or url. */
function wordRedactor(): (word: string) => string {
  let hidden: 'none' | 'next' | 'all' = 'none'
  return word => {
    const [, flag, value] = /^(--?[a-z][\w-]*)(=.*)?$/is.exec(word) ?? []
    if (hidden === 'next' || (hidden === 'all' && flag === undefined && !word.includes('://'))) {
      hidden = 'all'
      return redacted
    }
    hidden = 'none'
    if (flag !== undefined && secretFlag.test(flag)) {
      if (value !== undefined) return `${flag}=${redacted}`
      hidden = 'next'
      return word
    }
    return redactWord(word)
  }
}

function redactWord(word: string): string {
  if (variable.test(word)) return word.replace(variable, `$1=${redacted}`)
  if (/^["']?\s*[{[]/.test(word)) return secretField.test(word) ? redacted : word
  return redactInner(word).replace(bearer, `$1${redacted}`).replace(userInfo, `$1${redacted}@`)
}

/** A word that is a command by itself, as after `sh -c`. */
function redactInner(word: string): string {
  const [, quote = '', inner] = /^(["'])(.*)\1$/s.exec(word) ?? []
  if (inner !== undefined) return `${quote}${redactText(inner)}${quote}`
  return (word.match(shellWord)?.length ?? 0) > 1 ? redactText(word) : word
}

/** Nothing, numbers and flags are no secrets. */
function redactAll(value: unknown): unknown {
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : redacted
}

function redactInside(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) {
    const redactNext = wordRedactor()
    return value.map(one => (typeof one === 'string' ? redactNext(one) : redactInside(one)))
  }
  return typeof value === 'object' && value !== null ? redactSettings({ ...value }) : value
}
