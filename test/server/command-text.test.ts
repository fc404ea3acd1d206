import { expect, test } from 'vitest'
import { commandText } from '../../src/server/command-text.ts'

test.each([
  [['tokgrid', '--api-key', 'sk-1'], 'tokgrid --api-key <redacted>'],
  [['tokgrid', '--api-key=sk-1'], 'tokgrid --api-key=<redacted>'],
  [['tokgrid', '--header', 'Authorization: Bearer x'], 'tokgrid --header <redacted>'],
  [['tokgrid', '--extra-body', '{"api_key": "x"}'], 'tokgrid --extra-body <redacted>'],
  [['tokgrid', 'http://me:pw@gpu/'], 'tokgrid http://<redacted>@gpu/'],
  [['tokgrid', '--api-key', 'sk-1', 'http://gpu/'], 'tokgrid --api-key <redacted> http://gpu/'],
  [
    ['vllm', 'serve', '--api-key', 'k1', 'k2', '--port', '1'],
    'vllm serve --api-key <redacted> <redacted> --port 1',
  ],
  [['x', '--api', 'k', '--port', '1'], 'x --api <redacted> --port 1'],
  [['x', '--api-key-file', 'key.txt', '--token', '-k'], 'x --api-key-file key.txt --token <redacted>'],
  [['sh', '-c', 'exec serve --api-key k -v'], `sh -c 'exec serve --api-key <redacted> -v'`],
  [['env', 'HF_TOKEN=a b', 'serve'], `env HF_TOKEN=<redacted> serve`],
])('%j keeps its secrets', (words, command) => {
  expect(commandText(words)).toBe(command)
})

test('what is no secret can be pasted into a shell', () => {
  expect(commandText(['tokgrid', '--extra-body', `{"a": "it's"}`, '-o', 'a b.json'])).toBe(
    `tokgrid --extra-body '{"a": "it'\\''s"}' -o 'a b.json'`,
  )
})

test('names, limits and files that only sound like a secret stay', () => {
  const words = [
    'x',
    '--max-total-tokens',
    '5',
    '--tokenizer-path',
    'a/b',
    '--author',
    'me',
    '--ssl-keyfile',
    'k.pem',
  ]
  expect(commandText(words)).toBe(words.join(' '))
})
