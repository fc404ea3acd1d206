import { z } from 'zod'
import { TokgridError } from '../domain/failure.ts'
import { cleanText } from './clean-text.ts'

const modelCard = z.looseObject({
  id: z.string(),
  owned_by: z.string().nullish().catch(null),
  root: z.string().nullish().catch(null),
  /** The base model of a LoRA adapter. */
  parent: z.string().nullish().catch(null),
  max_model_len: z.number().int().positive().nullish().catch(null),
})

/** The answer of /v1/models. */
export const modelList = z.looseObject({ data: z.array(modelCard) })

export type ModelCard = z.infer<typeof modelCard>

/** The model that is asked for, else the first that is not an adapter. Throws TokgridError when there is none. */
export function chooseModel(models: readonly ModelCard[], wanted: string | null): ModelCard {
  const first = models.find(({ parent }) => typeof parent !== 'string') ?? models[0]
  if (first === undefined)
    throw new TokgridError('unreachable', 'the server serves no model', 'wait until it has loaded one')
  if (wanted === null) return first
  const found = models.find(({ id }) => id === wanted)
  if (found === undefined)
    throw new TokgridError(
      'usage',
      `the server has no model "${cleanText(wanted)}"`,
      `it has ${cleanText(models.map(({ id }) => id).join(', '))}`,
    )
  return found
}
