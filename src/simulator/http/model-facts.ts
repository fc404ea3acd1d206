import type { EngineView } from './engine-view.ts'
import type { JsonObject } from './reply.ts'

/** The body of /v1/models. */
export function modelList(view: EngineView, created: number): JsonObject {
  return { object: 'list', data: [modelCard(view, created)] }
}

/** The body of /v1/models/{id} for the served model. */
export function modelCard({ engine, modelName }: EngineView, created: number): JsonObject {
  return {
    id: modelName,
    object: 'model',
    created,
    owned_by: 'sglang',
    root: modelName,
    parent: null,
    max_model_len: engine.profile.limits.contextTokens,
  }
}

/** The body of /v1/models/{id} for any other. */
export function noSuchModel(id: string): JsonObject {
  return {
    error: {
      message: `The model '${id}' does not exist`,
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    },
  }
}

/** The body of /model_info. */
export function modelInfo({ engine }: EngineView): JsonObject {
  const { path, architecture } = engine.profile.model
  return {
    model_path: path,
    tokenizer_path: path,
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    has_image_understanding: false,
    has_audio_understanding: false,
    model_type: architecture,
    architectures: [architecture],
  }
}
