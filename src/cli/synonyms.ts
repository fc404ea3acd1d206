/** Names that people already type for the same thing; the right one is documented. */
const synonyms: Readonly<Record<string, string>> = {
  '--base-url': '--url',
  '--input-len': '--contexts',
  '--max-concurrency': '--concurrency',
  '--output-len': '--max-tokens',
  '--no-tui': '--headless',
  '--hf-id': '--model-path',
}

/** The words with synonyms replaced, `--flag=value` included. */
export function withoutSynonyms(words: readonly string[]): string[] {
  return words.map(word => {
    const [flag = '', ...value] = word.split('=')
    const name = synonyms[flag]
    return name === undefined ? word : [name, ...value].join('=')
  })
}
