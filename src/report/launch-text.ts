import { cleanText } from '../format/clean-text.ts'
import type { RunResult } from '../result/schema.ts'

type Launch = RunResult['server']['launch']

/** How the server was started, in one line, and how that came to be known. */
export function launchText({ command, source }: Launch): {
  readonly command: string | null
  readonly origin: string
} {
  return { command: command === null ? null : cleanText(command), origin: originText(command, source) }
}

function originText(command: string | null, source: Launch['source']): string {
  if (command === null) return 'not told'
  switch (source) {
    case 'process':
      return "from the server's process"
    case 'settings':
      return 'rebuilt from the settings that the server tells: defaults may be spelled out'
    case 'flag':
      return 'as the operator gave it'
    case null:
      return 'as the result tells it'
    default:
      return source satisfies never
  }
}
