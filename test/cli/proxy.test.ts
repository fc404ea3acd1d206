import { expect, test } from 'vitest'
import { proxySettings } from '../../src/cli/proxy.ts'

const url = 'https://gpu.example.com/v1'

test('proxies come from the environment, lower case before upper case', () => {
  expect(proxySettings(url, {})).toBeNull()
  expect(
    proxySettings(url, {
      HTTP_PROXY: 'http://a:1',
      HTTPS_PROXY: 'http://b:2',
      https_proxy: 'http://me:secret@c:3',
      NO_PROXY: 'lan,.corp',
    }),
  ).toEqual({ http: 'http://a:1/', https: 'http://me:secret@c:3/', except: 'lan,.corp' })
})

test('a host alone is one that speaks HTTP', () => {
  expect(proxySettings(url, { HTTPS_PROXY: 'proxy.corp:3128' })?.https).toBe('http://proxy.corp:3128/')
})

test.each(['http://127.0.0.1:30000', 'http://localhost:30000', 'http://[::1]:30000'])(
  '%s is never proxied',
  local => {
    expect(proxySettings(local, { HTTP_PROXY: 'http://a:1' })).toBeNull()
  },
)

test.each(['socks5://a:1', 'http://', 'a b'])(
  '"%s" is refused, without repeating what may hold a password',
  given => {
    expect(() => proxySettings(url, { HTTPS_PROXY: given })).toThrow('HTTPS_PROXY is no url of an HTTP proxy')
  },
)
