import type { HandOver } from './key-input.tsx'

/** Gives the terminal back for a while. */
export type TerminalLoan = {
  readonly onReady: (handOver: HandOver) => void
  /** For as long as the work takes; when the terminal is ours again, all is drawn anew. Nothing while it is given away. */
  readonly during: (work: () => Promise<void>) => Promise<void>
}

/** `draw` shows what has changed meanwhile. */
export function terminalLoan(draw: () => void): TerminalLoan {
  let handOver: HandOver | null = null
  let isLent = false
  return {
    onReady: suspendTerminal => {
      handOver = suspendTerminal
    },
    during: async work => {
      if (isLent || handOver === null) return
      isLent = true
      try {
        await handOver(work)
      } finally {
        isLent = false
      }
      draw()
    },
  }
}
