import { expect, test } from 'vitest'
import { redactSettings } from '../../src/server/redact.ts'

test('no value under the name of a secret is left, at any depth', () => {
  const redacted = redactSettings({
    api_key: 'k1',
    admin_api_key: 'k2',
    hf_token: 'k3',
    token: 'k4',
    ssl_keyfile_password: 'k5',
    client_secret: ['k6'],
    nested: { Authorization: 'k7', deep: [{ 'api-key': 'k8' }] },
  })
  expect(JSON.stringify(redacted)).not.toMatch(/k\d/)
  expect(redacted.api_key).toBe('<redacted>')
})

test('keys inside of a command are taken out and the rest of it stays', () => {
  const redacted = redactSettings({
    command:
      'launch --api-key k1 --port 3 --admin-api-key=k2 --hf-token "k3 k3" -H "Authorization: Bearer k4"',
    argv: ['--api-key', 'k5', '--port', '4'],
  })
  expect(JSON.stringify(redacted)).not.toMatch(/k\d/)
  expect(redacted.command).toContain('--api-key <redacted> --port 3 --admin-api-key=<redacted> --hf-token')
  expect(redacted.argv).toEqual(['--api-key', '<redacted>', '--port', '4'])
})

test('settings that only sound like a secret stay', () => {
  const settings = {
    max_total_num_tokens: 5,
    tokenizer_path: 'org/model',
    speculative_num_draft_tokens: 8,
    skip_tokenizer_init: false,
    api_key: null,
    stream: true,
    sizes: [1, 2],
  }
  expect(redactSettings(settings)).toEqual(settings)
})
