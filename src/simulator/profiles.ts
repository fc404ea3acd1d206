import { readFileSync } from 'node:fs'
import type { Profile } from './profile.ts'
import { parseProfile } from './profile-json.ts'
import { deepseekV4Flash2xH200 } from './profiles/deepseek-v4-flash-2xh200.ts'
import { fast } from './profiles/fast.ts'
import { qwen35a3bH200 } from './profiles/qwen3.5-35b-a3b-h200.ts'
import { small } from './profiles/small.ts'

/** Every server that can be simulated by name. */
export const profiles: readonly Profile[] = [qwen35a3bH200, deepseekV4Flash2xH200, small, fast]

/**
 * The profile of that name, or the one in that file, when the name ends in «.json». Throws an Error that says what is wrong: an unknown
 * name, a file that cannot be read, or the field of it that does not hold.
 */
export function loadProfile(nameOrPath: string): Profile {
  if (nameOrPath.endsWith('.json')) return readProfileFile(nameOrPath)
  const profile = profiles.find(({ name }) => name === nameOrPath)
  if (profile !== undefined) return profile
  const names = profiles.map(({ name }) => name).join(', ')
  throw new Error(
    `unknown profile "${nameOrPath}"; there are ${names}, or the path of a profile in a .json file`,
  )
}

function readProfileFile(path: string): Profile {
  try {
    return parseProfile(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(`${path} is not a profile: ${error instanceof Error ? error.message : String(error)}`)
  }
}
