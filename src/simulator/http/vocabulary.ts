import type { Random } from '../random.ts'

/** The text that so many further tokens give. */
export type TextSource = (tokens: number) => string

/** Short everyday words: with its space, a word has about the 4 characters of one token. */
const everydayWords = (
  'the of and to in is it as at by for on an or be so we he no not but all one two her his its our was are has had can may ' +
  'you they this that then than them when what with from into over such some each more most time year day way man sea sun ' +
  'air oil gas law art map key set run see use say get let put ask try act add own new old big low far few red low end top ' +
  'road ship wind rain bird tree hill town king work word book line form part side hand head eye arm leg age war job tax ' +
  'long late high deep slow cold warm dark open left next same main able good kind wide rich safe thin hard soft true real'
).split(' ')

/** What breaks readers of bytes, lines and widths: bytes 2 to 25 a character, line ends that are none to JSON or SSE. */
const multibyte = [
  'é',
  '日本',
  '🦊',
  '👩‍👩‍👧',
  '🏳️‍🌈',
  'a\u2028b',
  'a\u2029b',
  'a\u0085b',
  'שלום',
  'e\u0301',
  '\u200b',
  '\\"\t',
]

/** A word for each token. */
export function plainText(random: Random): TextSource {
  return tokens => {
    let text = ''
    for (let i = 0; i < tokens; i++) text += ` ${pick(everydayWords, random)}`
    return text
  }
}

/** Two tokens for each word, which stays back until the second: a step of one token can give no text. */
export function multibyteText(random: Random): TextSource {
  let half = false
  return tokens => {
    let text = ''
    for (let i = 0; i < tokens; i++) {
      if (half) text += ` ${pick(multibyte, random)}`
      half = !half
    }
    return text
  }
}

function pick(words: readonly string[], random: Random): string {
  return words[Math.floor(random() * words.length)] ?? ''
}
