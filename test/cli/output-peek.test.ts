import { expect, test } from 'vitest'
import { outputPeek } from '../../src/cli/output-peek.ts'

/** A load whose answers the test gives. */
function load() {
  const asked: PromiseWithResolvers<string | null>[] = []
  const look = outputPeek(() => {
    const question = Promise.withResolvers<string | null>()
    asked.push(question)
    return question.promise
  })
  return { asked, look }
}

test('a look tells what was told last, and asks for what comes next', async () => {
  const { asked, look } = load()
  expect(look()).toBe(null)
  asked[0]?.resolve('one')
  await expect.poll(look).toBe('one')
  asked[1]?.resolve('one two')
  await expect.poll(look).toBe('one two')
})

test('looks while an answer is on its way do not ask again', () => {
  const { asked, look } = load()
  look()
  look()
  expect(asked).toHaveLength(1)
})

test('a load that is gone leaves the last text', async () => {
  const { asked, look } = load()
  look()
  asked[0]?.resolve('one')
  await expect.poll(look).toBe('one')
  asked[1]?.reject(new Error('load thread 0 ended'))
  await expect
    .poll(() => {
      expect(look()).toBe('one')
      return asked.length
    })
    .toBeGreaterThan(2)
})
