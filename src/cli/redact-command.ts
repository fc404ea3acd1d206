const redacted = '<redacted>'
const secretFlags = new Set(['--api-key', '--header'])
const secretWord = /key|token|secret|passw|auth/i

/** The command line as it may stand in a result: the values of secret flags and of `user:password@` are removed. */
export function redactCommand(words: readonly string[]): string {
  return words
    .map((word, index) => {
      const [flag = '', ...value] = word.split('=')
      if (value.length > 0 && hidesValue(flag, value.join('='))) return `${flag}=${redacted}`
      if (index > 0 && hidesValue(words[index - 1] ?? '', word)) return redacted
      return word.replace(/\/\/[^/@\s]+@/, `//${redacted}@`)
    })
    .map(word => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

function hidesValue(flag: string, value: string): boolean {
  return secretFlags.has(flag) || (flag === '--extra-body' && secretWord.test(value))
}
