/** Why one request did not end well. Data, not an exception: a failed request is part of what a benchmark finds. */
export type RequestFailure =
  | { readonly kind: 'connect'; readonly message: string }
  | { readonly kind: 'http-status'; readonly status: number; readonly message: string }
  | { readonly kind: 'server-error'; readonly message: string }
  | { readonly kind: 'timeout'; readonly waitedFor: 'first-token' | 'next-token'; readonly afterMs: number }
  | { readonly kind: 'stream-broken'; readonly message: string }
  | { readonly kind: 'protocol'; readonly message: string }

/** How a run came to its end; `running` only in a file that was written before the end. */
export type RunEnding = 'running' | 'completed' | 'stopped' | 'aborted'

/** What kind of mistake it is; decides the exit code. */
export type ErrorCode = 'usage' | 'unreachable' | 'output'

/** An error that the operator can fix: what happened in `message`, what to do in `hint`. Caught once, in the command line. */
export class TokgridError extends Error {
  readonly code: ErrorCode
  readonly hint: string | null

  constructor(code: ErrorCode, message: string, hint: string | null = null) {
    super(message)
    this.name = 'TokgridError'
    this.code = code
    this.hint = hint
  }
}

/** One sentence that says why a request failed. The server's own words in it may hold anything: clean them before showing. */
export function describeFailure(failure: RequestFailure): string {
  switch (failure.kind) {
    case 'connect':
      return `could not connect: ${failure.message}`
    case 'http-status':
      return `HTTP ${failure.status}${failure.message === '' ? '' : `: ${failure.message}`}`
    case 'server-error':
      return `the server reported an error: ${failure.message}`
    case 'timeout':
      return `no ${failure.waitedFor === 'first-token' ? 'first' : 'further'} token for ${Math.round(failure.afterMs / 1000)} s`
    case 'stream-broken':
      return `the stream broke off: ${failure.message}`
    case 'protocol':
      return `unexpected answer: ${failure.message}`
    default:
      return failure satisfies never
  }
}
