import { expect, test } from 'vitest'
import { upgradeResult } from '../../src/result/upgrade-result.ts'

const steps = {
  1: ({ speed, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, tokensPerSecond: speed }),
  2: (document: Readonly<Record<string, unknown>>) => ({ ...document, added: null }),
}

test('an older document goes through every version up to the wanted one', () => {
  const document = { schemaVersion: 1, speed: 5, kept: true }
  expect(upgradeResult(document, 'a.json', 3, steps)).toEqual({
    schemaVersion: 3,
    tokensPerSecond: 5,
    kept: true,
    added: null,
  })
  expect(document).toEqual({ schemaVersion: 1, speed: 5, kept: true })
})

test('a document of the wanted version, or of one that nobody knows, is left alone', () => {
  for (const schemaVersion of [3, 0, '1', null])
    expect(upgradeResult({ schemaVersion }, 'a.json', 3, steps)).toEqual({ schemaVersion })
})

test('a newer document is refused with the versions and what to do', () => {
  expect(() => upgradeResult({ schemaVersion: 4 }, 'a.json', 3, steps)).toThrow(
    'a.json is a result of version 4, this tokgrid reads up to version 3',
  )
})
