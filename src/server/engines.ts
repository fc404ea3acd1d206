import { TokgridError } from '../domain/failure.ts'
import { cleanText } from './clean-text.ts'
import type { EngineAdapter, Probes } from './engine-adapter.ts'
import { openai } from './openai.ts'
import { sglang } from './sglang.ts'
import { vllm } from './vllm.ts'

/** In the order in which they are tried; the last takes every server. */
const engines: readonly EngineAdapter[] = [sglang, vllm, openai]

/** Names that `--engine` takes. */
export const engineNames: readonly string[] = engines.map(({ name }) => name)

/** The adapter of that name, or the first that recognises the server. Throws TokgridError when the named one does not. */
export function chooseEngine(probes: Probes, wanted: string | null): EngineAdapter {
  if (wanted === null) return engines.find(engine => engine.recognises(probes)) ?? openai
  const engine = engines.find(({ name }) => name === wanted)
  if (engine === undefined)
    throw new TokgridError(
      'usage',
      `there is no engine "${cleanText(wanted)}"`,
      `give one of ${engineNames.join(', ')}`,
    )
  if (!engine.recognises(probes))
    throw new TokgridError(
      'unreachable',
      `the server does not answer as ${engine.name} does`,
      'leave --engine away, or give --engine openai',
    )
  return engine
}
