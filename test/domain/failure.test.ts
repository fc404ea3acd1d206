import { expect, test } from 'vitest'
import { describeFailure } from '../../src/domain/failure.ts'

test('a status is told with the words of the server, and by itself where there are none', () => {
  expect(describeFailure({ kind: 'http-status', status: 503, message: 'busy' })).toBe('HTTP 503: busy')
  expect(describeFailure({ kind: 'http-status', status: 503, message: '' })).toBe('HTTP 503')
})
