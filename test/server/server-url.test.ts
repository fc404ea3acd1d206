import { expect, test } from 'vitest'
import { serverUrl } from '../../src/server/server-url.ts'

test.each([
  ['localhost:30000', 'http://localhost:30000'],
  ['10.0.0.7:8000/', 'http://10.0.0.7:8000'],
  ['[::1]:8000', 'http://[::1]:8000'],
  ['http://host:1/v1', 'http://host:1'],
  ['http://host:1/v1/', 'http://host:1'],
  ['https://host/team/llm/v1/', 'https://host/team/llm'],
  ['https://host/team//', 'https://host/team'],
  [' HTTP://Host ', 'http://host'],
])('%s is the server at %s', (given, url) => {
  expect(serverUrl(given)).toBe(url)
})

test.each([
  '',
  'ftp://host',
  'http://',
  'host:port',
  'http://user:secret@host',
  'ftp://user:secret@host',
  'user:secret@host:9x',
  'http://host/?api_key=secret',
])('%s is refused as a mistake of the user, without repeating a secret', given => {
  expect(() => serverUrl(given)).toThrow(expect.objectContaining({ code: 'usage' }))
  expect(() => serverUrl(given)).not.toThrow(/secret/)
})
