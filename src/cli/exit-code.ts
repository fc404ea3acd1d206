import type { ErrorCode } from '../domain/failure.ts'
import type { RunState } from '../domain/run-state.ts'

/** What scripts can tell a run by; product-wide, see the README. */
export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  cellsInvalid: 3,
  untrustworthy: 3,
  gateFailed: 4,
  unreachable: 5,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const

export function exitCodeOf(state: RunState, stopSignal: 'SIGINT' | 'SIGTERM'): number {
  switch (state.ending?.kind) {
    case 'stopped':
      return stopSignal === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted
    case 'aborted':
      return isRefused(state) ? exitCodes.unreachable : exitCodes.error
    case 'completed':
      return [...state.prefill, ...state.cells].some(
        ({ status }) => status === 'invalid' || status === 'failed',
      )
        ? exitCodes.cellsInvalid
        : exitCodes.done
    default:
      return exitCodes.error
  }
}

/** Not reached, or reached and the key refused. */
function isRefused({ fatal }: RunState): boolean {
  return (
    fatal?.kind === 'connect' ||
    (fatal?.kind === 'http-status' && (fatal.status === 401 || fatal.status === 403))
  )
}

export function exitCodeOfError(code: ErrorCode): number {
  switch (code) {
    case 'usage':
      return exitCodes.usage
    case 'unreachable':
      return exitCodes.unreachable
    case 'output':
      return exitCodes.error
    default:
      return code satisfies never
  }
}
