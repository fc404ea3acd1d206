import { readFlags, runFlags } from '../../src/cli/flags.ts'
import { loadTarget } from '../../src/cli/load-target.ts'
import { runOptions } from '../../src/cli/run-plan.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { checkServer } from '../../src/doctor/server-checks.ts'
import { examineServer } from '../../src/doctor/server-probe.ts'
import { checkStream } from '../../src/doctor/stream-checks.ts'
import { probeStream } from '../../src/doctor/stream-probe.ts'
import { connectTo } from '../server/connect-to.ts'

/** What the server's side of a doctor finds, by the names of the checks. Streams are given up after `timeoutMs`. */
export async function examine(
  url: string,
  { apiKey = null, timeoutMs = 1000 }: { readonly apiKey?: string | null; readonly timeoutMs?: number } = {},
): Promise<ReadonlyMap<string, Finding>> {
  const connection = await connectTo(url, { apiKey })
  const flags = readFlags(runFlags, {})
  const target = {
    ...loadTarget(connection, flags, runOptions(flags), { apiKey, headers: {} }),
    firstTokenTimeoutMs: timeoutMs,
    stallTimeoutMs: timeoutMs,
  }
  const server = await examineServer(connection, 'tgdoctor-none-0000000000', systemClock)
  const question = { target, prompts: { nonce: 'n0nce', seed: 1, text: null } }
  const first = await probeStream({ ...question, rid: 'tgdoctor-test-0000000001', maxTokens: 16 })
  const again =
    first.trace.outcome.kind === 'failed'
      ? null
      : await probeStream({ ...question, rid: 'tgdoctor-test-0000000002', maxTokens: 1 })
  const findings = [...checkServer(server), ...checkStream(connection.facts, first, again)]
  return new Map(findings.map(finding => [finding.check, finding]))
}

/** Those that are not fine. */
export function troubles(findings: ReadonlyMap<string, Finding>): readonly string[] {
  return [...findings.values()].filter(({ status }) => status !== 'ok').map(({ check }) => check)
}
