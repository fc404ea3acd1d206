import { expect, test } from 'vitest'
import {
  calibrationChars,
  charsFor,
  coldFit,
  correctedFits,
  decodePrompt,
  fitPromptLength,
  missesLength,
  prefillPrompt,
} from '../../src/domain/prompt-plan.ts'
import { trace } from './build.ts'

// 20 tokens of chat template, a token for each 4 characters
const fit = { fixedTokens: 20, tokensPerChar: 0.25 }
const counted = (promptChars: number, promptTokens: number | null) => trace({ promptChars, promptTokens })

test('two counted prompts tell the fixed tokens and the tokens of a character', () => {
  // 2000 / 4 + 20 and 24000 / 4 + 20
  expect(fitPromptLength([counted(2000, 520), counted(24_000, 6020)])).toEqual(fit)
  expect(fitPromptLength([counted(24_000, 6020), counted(2000, 520)])).toEqual(fit)
})

test('with more prompts the line goes through the shortest and the longest', () => {
  expect(fitPromptLength([counted(2000, 520), counted(9000, 9999), counted(24_000, 6020)])).toEqual(fit)
})

test('one length alone tells the tokens of a character, beside 10 fixed ones', () => {
  // (510 - 10) / 2000
  expect(fitPromptLength([counted(2000, 510)])).toEqual({ fixedTokens: 10, tokensPerChar: 0.25 })
  expect(fitPromptLength([counted(2000, 510), counted(24_000, null)])).toEqual({
    fixedTokens: 10,
    tokensPerChar: 0.25,
  })
})

test('uncounted prompts, or counts that do not grow, give no line', () => {
  expect(fitPromptLength([])).toBe(null)
  expect(fitPromptLength([counted(24_000, null)])).toBe(null)
  expect(fitPromptLength([counted(2000, 520), counted(24_000, 520)])).toBe(null)
})

test('a prompt of so many tokens gets the characters that the line says', () => {
  // (8192 - 20) × 4
  expect(charsFor(8192, fit)).toBe(32_688)
  expect(charsFor(20, fit)).toBe(0)
  expect(charsFor(0, fit)).toBe(0)
})

test('without a line English text is assumed: 10 fixed tokens, 4.5 characters a token', () => {
  // (1010 - 10) × 4.5
  expect(charsFor(1010, null)).toBe(4500)
})

test('both calibration prompts fit the context limit even at one token for each character', () => {
  expect(calibrationChars(262_144)).toEqual([2000, 24_000])
  // 4096 - 512 = 3584, and half of it
  expect(calibrationChars(4096)).toEqual([1792, 3584])
  const [short, long] = calibrationChars(null)
  expect(short).toBeLessThan(long)
})

test('with unique prompts each stream sends its own, with shared ones all send that of stream 0', () => {
  // 0.25 % below the context: (8192 × 0.9975 - 20) × 4
  const fits = { promptFit: fit, streamFits: {} }
  expect(decodePrompt(8192, 3, { prompts: 'unique' }, fits)).toEqual({ stream: 3, cold: null, chars: 32_606 })
  expect(decodePrompt(8192, 3, { prompts: 'shared' }, fits)).toEqual({ stream: 0, cold: null, chars: 32_606 })
})

test('a prompt misses its context when it is longer, or more than 0.5 % shorter', () => {
  // 8192 × 0.995 = 8151.04
  const misses = (promptTokens: number | null) => missesLength(8192, { promptTokens })
  expect([8151, 8152, 8192, 8193, null].map(misses)).toEqual([true, false, false, true, false])
  expect(missesLength(0, { promptTokens: 85 })).toBe(false)
})

test('a text with other tokens than most gets a line of its own, and its next prompt the right length', () => {
  const fits = { promptFit: fit, streamFits: {} }
  const dense = { ...counted(32_606, 9000), stream: 2 }
  const streamFits = correctedFits(fits, 8192, [dense, { ...counted(32_606, 8160), stream: 1 }])
  // (9000 - 20) / 32,606 tokens a character
  expect(streamFits).toEqual({ 2: { fixedTokens: 20, tokensPerChar: 8980 / 32_606 } })
  // (16,384 × 0.9975 - 20) × 32,606 / 8980
  expect(decodePrompt(16_384, 2, { prompts: 'unique' }, { ...fits, streamFits }).chars).toBe(59_268)
  expect(decodePrompt(16_384, 1, { prompts: 'unique' }, { ...fits, streamFits }).chars).toBe(65_292)
})

const cold = { promptFit: fit, coldFit: null }

test('a prefill prompt is a cold text of the asked length', () => {
  expect(prefillPrompt(8192, 7, 262_144, cold)).toEqual({ stream: 0, cold: 7, chars: 32_688 })
  expect(prefillPrompt(8192, 7, null, cold)).toEqual({ stream: 0, cold: 7, chars: 32_688 })
})

test('a long cold prompt teaches how long the next has to be; a short one does not', () => {
  // (9000 - 20) / 32,688 tokens a character; (16,384 - 20) × 32,688 / 8980
  const learned = coldFit(cold, [counted(32_688, 9000), counted(1000, 300)])
  expect(learned?.tokensPerChar).toBe(8980 / 32_688)
  expect(prefillPrompt(16_384, 0, null, { promptFit: fit, coldFit: learned }).chars).toBe(59_566)
  expect(coldFit(cold, [counted(1000, 300)])).toBeNull()
  expect(coldFit({ promptFit: fit, coldFit: learned }, [])).toBe(learned)
})

test('a prefill prompt of the full limit stays just below it, nearer when long prompts were seen', () => {
  // floor(100000 × 0.994) - 1 = 99399; (99399 - 20) × 4 = 397516
  expect(prefillPrompt(100_000, 0, 100_000, cold).chars).toBe(397_516)
  // floor(100000 × 0.997) - 1 = 99699; (99699 - 20) × 4 = 398716
  expect(prefillPrompt(100_000, 0, 100_000, { promptFit: fit, coldFit: fit }).chars).toBe(398_716)
})
