const redacted = '<redacted>'
/** `token` only as the last word: `hf_token` is a secret, `max_total_num_tokens` and `tokenizer_path` are not. */
const secretKey = /api[-_]?key|secret|passw|authorization|credential|(^|[-_])token$/i
const secretFlag = /((?<![a-z-])--[a-z-]*(?:api-key|token|secret|password)(?:\s+|=))("[^"]*"|'[^']*'|\S+)/gi
const bearer = /(bearer\s+)\S+/gi

/** The settings without secrets: what stands under a secret's name, and keys inside of commands, become `<redacted>`. */
export function redactSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      secretKey.test(key) ? redactAll(value) : redactInside(value),
    ]),
  )
}

/** Nothing, numbers and flags are no secrets. */
function redactAll(value: unknown): unknown {
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : redacted
}

function redactInside(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(secretFlag, `$1${redacted}`).replace(bearer, `$1${redacted}`)
  if (Array.isArray(value)) return redactWords(value)
  return typeof value === 'object' && value !== null ? redactSettings({ ...value }) : value
}

/** A command as a list has the secret in the element behind its flag. */
function redactWords(words: readonly unknown[]): unknown[] {
  return words.map((word, index) => {
    const before = words[index - 1]
    const isSecret = typeof before === 'string' && before.startsWith('--') && secretKey.test(before)
    return isSecret ? redactAll(word) : redactInside(word)
  })
}
