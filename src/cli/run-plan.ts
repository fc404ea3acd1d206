import { TokgridError } from '../domain/failure.ts'
import type { RunOptions } from '../domain/run-options.ts'
import { redactSettings } from '../server/redact.ts'
import type { RunFlags } from './flags.ts'
import { sloOf } from './limit-flags.ts'

/** The options of a run from its flags. Throws TokgridError (usage) for flags that exclude each other. */
export function runOptions(flags: RunFlags): RunOptions {
  if (flags.skipPrefill && flags.prefillOnly)
    throw new TokgridError(
      'usage',
      '--skip-prefill and --prefill-only leave nothing to measure',
      'give one of them',
    )
  if (flags.output === '-' && flags.events === '-')
    throw new TokgridError('usage', '-o - and --events - would mix on stdout', 'write one of them to a file')
  return {
    contexts: flags.contexts ?? null,
    concurrency: flags.concurrency,
    prefillContexts: flags.prefillContexts ?? null,
    phases: flags.skipPrefill ? 'decode' : flags.prefillOnly ? 'prefill' : 'both',
    prefillSamples: flags.prefillSamples ?? null,
    repeat: flags.repeat,
    retryInvalid: flags.retryInvalid,
    force: flags.force,
    kvBudgetTokens: flags.kvBudget ?? null,
    durationSeconds: flags.duration,
    maxOutputTokens: flags.maxTokens,
    prompts: flags.prompts,
    seed: flags.seed,
    temperature: flags.temperature ?? null,
    endpoint: flags.endpoint,
    extraBody: redactSettings(flags.extraBody),
    respectEos: flags.respectEos,
    readyTimeoutSeconds: flags.readyTimeout ?? null,
    drainTimeoutSeconds: flags.drainTimeout,
    stallTimeoutSeconds: flags.stallTimeout,
    slo: sloOf(flags.slo, flags.require) ?? { ttftMs: null, itlMs: null },
  }
}
