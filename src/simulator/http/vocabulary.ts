import type { Random } from '../random.ts'

/** Short everyday words: with its space, a word has about the 4 characters of one token. */
const WORDS = (
  'the of and to in is it as at by for on or an be so we he no not but all one two her his its our was are has had can may ' +
  'you they this that then than them when what with from into over such some each more most time year day way man sea sun ' +
  'air oil gas law art map key set run see use say get let put ask try act add own new old big low far few red low end top ' +
  'road ship wind rain bird tree hill town king work word book line form part side hand head eye arm leg age war job tax ' +
  'long late high deep slow cold warm dark open left next same main able good kind wide rich safe thin hard soft true real'
).split(' ')

/** Text of that many tokens, a word for each. */
export function generateText(random: Random, tokens: number): string {
  let text = ''
  for (let i = 0; i < tokens; i++) text += ` ${WORDS[Math.floor(random() * WORDS.length)]}`
  return text
}
