import { exitCodes } from './exit-code.ts'

/** Calls back with the exit code for the first SIGINT or SIGTERM, instead of the process being ended by it. */
export function onSignal(leave: (exitCode: number) => void): void {
  process.once('SIGINT', () => leave(exitCodes.interrupted))
  process.once('SIGTERM', () => leave(exitCodes.terminated))
}
