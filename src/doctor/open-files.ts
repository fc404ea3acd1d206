import { readFileSync } from 'node:fs'

/** How many files and sockets this process may have open; `null` where the system does not tell (Linux tells). */
export function openFileLimit(path = '/proc/self/limits'): number | null {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined || soft === 'unlimited' ? null : Number(soft)
  } catch {
    return null
  }
}
