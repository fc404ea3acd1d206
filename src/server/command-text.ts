import { redactWords } from './redact.ts'

/** A command as one line that can be pasted into a shell, without secrets. */
export function commandText(words: readonly string[]): string {
  return redactWords(words)
    .map(word => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}
