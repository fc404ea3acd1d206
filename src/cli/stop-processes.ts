/** Long enough for the signal to arrive; a stopped process goes on waiting for it once it is continued. */
const stopMs = 50

/** What Ctrl-Z does in a terminal that is not in raw mode: all processes of the job stop. Resolves when they go on. */
export function stopProcesses(): Promise<void> {
  process.kill(0, 'SIGTSTP')
  return new Promise(resolve => setTimeout(resolve, stopMs))
}
