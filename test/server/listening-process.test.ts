import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { listeningCommand, listeningInodes } from '../../src/server/listening-process.ts'
import { testFolder } from '../support/test-folder.ts'

/** As Linux writes it; 7530 is 30000, 1F40 is 8000. */
const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:7530 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0000000000000000 100 0 0 10 0
   1: 0100007F:7530 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4243 1 0000000000000000 20 4 30 10 -1
`
const tcp6 = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000000000000:1F40 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 77 1 0000000000000000 100 0 0 10 0
`

const root = testFolder()
beforeEach(() => {
  mkdirSync(join(root, 'net'))
  writeFileSync(join(root, 'net', 'tcp'), tcp)
  writeFileSync(join(root, 'net', 'tcp6'), tcp6)
  addProcess(1, ['init'], 0, [])
})

function addProcess(pid: number, words: readonly string[], parent: number, sockets: readonly number[]): void {
  const folder = join(root, String(pid))
  mkdirSync(join(folder, 'fd'), { recursive: true })
  writeFileSync(join(folder, 'cmdline'), words.map(word => `${word}\0`).join(''))
  writeFileSync(join(folder, 'status'), `Name:\tx\nPPid:\t${parent}\n`)
  sockets.forEach((inode, index) => {
    symlinkSync(`socket:[${inode}]`, join(folder, 'fd', String(index)))
  })
}

test('only sockets that listen count, by IPv4 and IPv6', () => {
  expect(listeningInodes(tcp, 30_000)).toEqual(['4242'])
  expect(listeningInodes(tcp6, 8000)).toEqual(['77'])
  expect(listeningInodes(tcp, 8000)).toEqual([])
})

test('the listener’s command is told in words; a client of it is not taken for it', () => {
  addProcess(10, ['curl', 'http://127.0.0.1:30000'], 1, [4243])
  addProcess(11, ['python', '-m', 'sglang.launch_server', '--model-path', 'a b'], 1, [5, 4242])
  expect(listeningCommand(30_000, 99, root)).toEqual([
    'python',
    '-m',
    'sglang.launch_server',
    '--model-path',
    'a b',
  ])
})

test('a worker that renamed itself is told by its parent', () => {
  addProcess(20, ['vllm', 'serve', 'm'], 1, [])
  addProcess(21, ['VLLM::ApiServer_0'], 20, [77])
  expect(listeningCommand(8000, 99, root)).toEqual(['vllm', 'serve', 'm'])
  addProcess(20, ['', ''], 1, [])
  expect(listeningCommand(8000, 99, root)).toBeNull()
})

test('a tunnel to a server elsewhere is not taken for it', () => {
  addProcess(12, ['/usr/bin/ssh', '-L', '30000:127.0.0.1:30000', 'gpu'], 1, [4242])
  addProcess(13, ['nginx: master process', 'nginx'], 1, [77])
  expect(listeningCommand(30_000, 99, root)).toBeNull()
  expect(listeningCommand(8000, 99, root)).toBeNull()
})

test('nothing is told of a process that cannot be read, of this one, and where there is no process table', () => {
  expect(listeningCommand(30_000, 99, root)).toBeNull()
  addProcess(11, ['node', 'tokgrid', 'demo'], 1, [4242])
  expect(listeningCommand(30_000, 11, root)).toBeNull()
  expect(listeningCommand(30_000, 99, join(root, 'nowhere'))).toBeNull()
})
