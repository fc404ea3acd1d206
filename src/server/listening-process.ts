import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The command of the process that listens on `port` of this machine, as words; `null` where the process table does not
 * tell (another user's process, another system than Linux) and when it is `ownPid`. `root` is where /proc is mounted.
 */
export function listeningCommand(port: number, ownPid: number, root = '/proc'): readonly string[] | null {
  const inodes = ['net/tcp', 'net/tcp6'].flatMap(file => listeningInodes(text(join(root, file)), port))
  const sockets = new Set(inodes.map(inode => `socket:[${inode}]`))
  if (sockets.size === 0) return null
  const listener = names(root).find(pid => /^\d+$/.test(pid) && holdsOne(join(root, pid, 'fd'), sockets))
  const words = listener === undefined || Number(listener) === ownPid ? null : commandOf(listener, root)
  return words === null || forwarders.test(words[0] ?? '') ? null : words
}

/** What listens for a server that runs elsewhere. */
const forwarders =
  /(^|\/)(autossh|ssh|sshd|kubectl|docker-proxy|rootlessport|socat|nginx|haproxy|envoy|caddy|traefik)(:|$)/

/** Inodes of the sockets that listen on `port`, from /proc/net/tcp: address:port in hex, state 0A, inode tenth. */
export function listeningInodes(table: string, port: number): readonly string[] {
  return table.split('\n').flatMap(line => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    return state === '0A' &&
      Number.parseInt(local.split(':').at(-1) ?? '', 16) === port &&
      inode !== undefined
      ? [inode]
      : []
  })
}

/** Workers name themselves (`VLLM::ApiServer_0`): the command is then their parent's. */
function commandOf(pid: string, root: string): readonly string[] | null {
  const words = text(join(root, pid, 'cmdline'))
    .replace(/\0+$/, '')
    .split('\0')
  if (words[0] !== '' && !/^\S+::\S+$/.test(words[0] ?? '')) return words
  const parent = /^PPid:\s*(\d+)/m.exec(text(join(root, pid, 'status')))?.[1] ?? '0'
  return Number(parent) <= 1 ? null : commandOf(parent, root)
}

function holdsOne(folder: string, targets: ReadonlySet<string>): boolean {
  return names(folder).some(name => targets.has(target(join(folder, name))))
}

/** What the process table does not show is as if it were not there. */
function text(path: string): string {
  return orElse('', () => readFileSync(path, 'utf8'))
}

function names(folder: string): readonly string[] {
  return orElse([], () => readdirSync(folder))
}

function target(link: string): string {
  return orElse('', () => readlinkSync(link))
}

function orElse<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}
