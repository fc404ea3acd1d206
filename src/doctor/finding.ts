/** What one check came to. `warn`: figures will lack evidence; `fail`: they could not be trusted; `unknown`: nobody tells. */
export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail' | 'unknown'
  readonly saw: string
  /** What to do; `null`: nothing. */
  readonly fix: string | null
}

export function ok(check: string, saw: string): Finding {
  return { check, status: 'ok', saw, fix: null }
}

export function warn(check: string, saw: string, fix: string): Finding {
  return { check, status: 'warn', saw, fix }
}

export function fail(check: string, saw: string, fix: string): Finding {
  return { check, status: 'fail', saw, fix }
}

export function notTold(check: string, saw: string, fix: string | null): Finding {
  return { check, status: 'unknown', saw, fix }
}

/** Whether figures of a run could be trusted: warnings leave them with less evidence, failures without worth. */
export function isTrustworthy(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== 'fail')
}
