/** The commit that a Python package's version names: `0.5.6.post3.dev9269+g834400705` was built from 834400705. */
export function commitOf(version: string | null): string | null {
  return /\+(?:.*\.)?g([0-9a-f]{7,40})(?:\.|$)/.exec(version ?? '')?.[1] ?? null
}
