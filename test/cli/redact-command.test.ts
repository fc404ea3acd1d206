import { expect, test } from 'vitest'
import { redactCommand } from '../../src/cli/redact-command.ts'

test.each([
  [['tokgrid', '--api-key', 'sk-1'], 'tokgrid --api-key <redacted>'],
  [['tokgrid', '--api-key=sk-1'], 'tokgrid --api-key=<redacted>'],
  [['tokgrid', '--header', 'Authorization: Bearer x'], 'tokgrid --header <redacted>'],
  [['tokgrid', '--extra-body', '{"api_key": "x"}'], 'tokgrid --extra-body <redacted>'],
  [['tokgrid', 'http://me:pw@gpu/'], 'tokgrid http://<redacted>@gpu/'],
])('%j keeps its secrets', (words, command) => {
  expect(redactCommand(words)).toBe(command)
})

test('what is no secret can be pasted into a shell', () => {
  expect(redactCommand(['tokgrid', '--extra-body', `{"a": "it's"}`, '-o', 'a b.json'])).toBe(
    `tokgrid --extra-body '{"a": "it'\\''s"}' -o 'a b.json'`,
  )
})
