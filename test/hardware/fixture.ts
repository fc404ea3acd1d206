import { readFileSync } from 'node:fs'

/** What a program wrote, from test/fixtures/hardware. */
export function hardwareText(name: string): string {
  return readFileSync(new URL(`../fixtures/hardware/${name}`, import.meta.url), 'utf8')
}
