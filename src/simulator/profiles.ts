import type { Profile } from './profile.ts'
import { fast } from './profiles/fast.ts'
import { qwen35a3bH200 } from './profiles/qwen3.5-35b-a3b-h200.ts'
import { small } from './profiles/small.ts'

/** Every server that can be simulated. */
export const profiles: readonly Profile[] = [qwen35a3bH200, small, fast]
