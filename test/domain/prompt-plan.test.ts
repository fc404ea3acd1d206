import { expect, test } from 'vitest'
import {
  calibrationChars,
  charsFor,
  decodePrompt,
  fitPromptLength,
  fullLimitPromptTokens,
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
  expect(decodePrompt(8192, 3, { prompts: 'unique' }, fit)).toEqual({ stream: 3, cold: null, chars: 32_688 })
  expect(decodePrompt(8192, 3, { prompts: 'shared' }, fit)).toEqual({ stream: 0, cold: null, chars: 32_688 })
})

test('a prefill prompt is a cold text of the asked length', () => {
  expect(prefillPrompt(8192, 7, 262_144, fit)).toEqual({ stream: 0, cold: 7, chars: 32_688 })
  expect(prefillPrompt(8192, 7, null, fit)).toEqual({ stream: 0, cold: 7, chars: 32_688 })
})

test('a prefill prompt of the full limit stays just below it', () => {
  // floor(100000 × 0.994) - 1 = 99399; (99399 - 20) × 4 = 397516
  expect(fullLimitPromptTokens(100_000)).toBe(99_399)
  expect(prefillPrompt(100_000, 0, 100_000, fit).chars).toBe(397_516)
})
