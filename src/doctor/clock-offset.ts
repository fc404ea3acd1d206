/** A `Date` of an answer (ms since 1970, whole seconds), and when its request went out and the answer came, by our clock. */
export type DatedAnswer = { readonly date: number; readonly sentAt: number; readonly receivedAt: number }

export type ClockOffset = { readonly offsetMs: number; readonly uncertaintyMs: number }

/** The header names a whole second, and some servers (uvicorn) renew it only once a second. */
const validMs = 2000

/**
 * How far the server's clock is before ours. Its time at some moment between sending and receiving was within the two
 * seconds from `date` on, so that every answer bounds the offset; the middle of what all allow, and half its width. `null`
 * without answers, and when they contradict each other: several servers, or a clock that was set.
 */
export function clockOffset(answers: readonly DatedAnswer[]): ClockOffset | null {
  const least = Math.max(...answers.map(({ date, receivedAt }) => date - receivedAt))
  const most = Math.min(...answers.map(({ date, sentAt }) => date + validMs - sentAt))
  if (answers.length === 0 || least > most) return null
  return { offsetMs: (least + most) / 2, uncertaintyMs: (most - least) / 2 }
}
