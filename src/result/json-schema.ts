import { z } from 'zod'
import { resultSchema } from './schema.ts'

/** The JSON Schema (draft 2020-12) of the result file: what a file may hold, not what a reader makes of it. */
export function resultJsonSchema(): z.core.JSONSchema.BaseSchema {
  return {
    title: 'tokgrid result',
    ...z.toJSONSchema(resultSchema, { io: 'input' }),
  }
}
