import { unknownLimits } from '../domain/server-facts.ts'
import { type EngineAdapter, emptyReading } from './engine-adapter.ts'

/** Any server with an OpenAI-compatible API: it can be measured, and tells nothing of itself. */
export const openai: EngineAdapter = {
  name: 'openai',
  abort: null,
  metricNames: null,
  liveCounters: null,
  recognises: () => true,
  report: (_, model) => ({
    engine: {
      name: 'openai',
      version: null,
      quantization: null,
      backend: null,
      repository: null,
      build: null,
      commit: null,
    },
    model: { path: null, revision: null },
    limits: { ...unknownLimits, contextTokens: model.max_model_len ?? null },
    settings: {},
    launchWords: null,
  }),
  read: () => emptyReading,
}
