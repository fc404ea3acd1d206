import { z } from 'zod'
import { descriptionFlags } from './description-flags.ts'
import { FlagError } from './flag-error.ts'
import { requirement, sloTerm } from './limit-flags.ts'
import { parseSeconds, parseTokens, parseWords } from './quantities.ts'

/** Reads one flag's text: a value, or the sentence that says what is wrong and what would be right. */
function reads<T>(read: (text: string) => T | null, wanted: string) {
  return z.string().transform((text, context): T => {
    const value = read(text)
    if (value !== null) return value
    context.addIssue({ code: 'custom', message: `"${text}" is not ${wanted}` })
    return z.NEVER
  })
}

function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  return reads(text => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : null
  }, `a whole number ${range}`)
}

function list(least: number, wanted: string) {
  return reads(text => {
    const values = parseWords(text).map(parseTokens)
    const known = values.filter(value => value !== null && value >= least)
    return values.length > 0 && known.length === values.length ? known.filter(value => value !== null) : null
  }, wanted)
}

const tokens = reads(text => positive(parseTokens(text)), 'a number of tokens (try 4096 or 4k)')
const seconds = reads(text => positive(parseSeconds(text)), 'a duration (try 30s, 500ms or 2m)')
const temperature = reads(text => {
  const value = Number(text)
  return text.trim() !== '' && value >= 0 && value <= 10 ? value : null
}, 'a temperature from 0 to 10')
const factor = reads(
  text => positive(Number(text) <= 1000 ? Number(text) : null),
  'a factor above 0, at most 1000',
)

/** What tokgrid itself says in a request; a second value for it would decide silently. */
const ownFields = ['rid', 'max_tokens', 'model', 'messages', 'prompt', 'stream', 'stream_options']

const jsonObject = z.string().transform((text, context): Record<string, unknown> => {
  try {
    const body = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    const own = ownFields.find(field => field in body)
    if (own === undefined) return body
    context.addIssue({ code: 'custom', message: `"${own}" is set by tokgrid itself` })
    return z.NEVER
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a JSON object (try \'{"top_p": 0.9}\')' })
    return z.NEVER
  }
})

/** `Name: value`. The value is never repeated: it may be a secret. */
const header = z.string().transform((text, context): readonly [string, string] => {
  const match = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e]*)$/.exec(text)
  if (match?.[1] !== undefined && match[2] !== undefined) return [match[1], match[2]]
  context.addIssue({ code: 'custom', message: 'a header is "Name: value"' })
  return z.NEVER
})

const flag = z.boolean().default(false)
const port = integer(1, 65_535)

/** What `run` and `demo` take, read from the command line's texts. Absent flags are `undefined` or their default. */
export const runFlags = z.object({
  url: z.string().optional(),
  host: z.string().optional(),
  port: port.optional(),
  model: z.string().min(1, 'names no model').optional(),
  apiKey: z.string().optional(),
  apiKeyFile: z.string().optional(),
  header: z.array(header).default([]),
  insecure: flag,
  engine: z.string().optional(),
  endpoint: z.enum(['chat', 'completions'], 'is chat or completions').default('chat'),
  extraBody: jsonObject.default({}),

  contexts: list(0, 'a list of context lengths (try 8k,16k)').optional(),
  concurrency: list(1, 'a list of stream counts (try 1,2,4)').default([1, 2, 4, 8, 16, 32, 64, 128]),
  prefillContexts: list(1, 'a list of context lengths (try 8k,16k)').optional(),
  skipPrefill: flag,
  prefillOnly: flag,
  prefillSamples: integer(1, 100).optional(),
  repeat: integer(1, 100).default(1),
  force: flag,
  kvBudget: tokens.optional(),

  duration: seconds.default(30),
  maxTokens: tokens.default(4096),
  prompts: z.enum(['unique', 'shared'], 'is unique or shared').default('unique'),
  promptFile: z.string().optional(),
  seed: integer(0, 2 ** 31).default(1),
  temperature: temperature.optional(),
  respectEos: flag,
  readyTimeout: seconds.optional(),
  drainTimeout: seconds.default(60),
  stallTimeout: seconds.default(60),
  workers: integer(1, 64).optional(),
  slo: z.array(sloTerm).default([]),
  require: z.array(requirement).default([]),

  ...descriptionFlags,

  output: z.string().optional(),
  events: z.string().optional(),
  resume: z.string().optional(),
  headless: flag,
  quiet: flag,
  color: z.boolean().default(true),
  ascii: flag,
  fps: integer(1, 10).default(4),
  hardware: z.enum(['auto', 'on', 'off'], 'is auto, on or off').default('auto'),
  retryInvalid: flag,
  dryRun: flag,
  yes: flag,
})

export const demoFlags = runFlags.extend({
  profile: z.string().default('qwen3.5-35b-a3b-h200'),
  speed: factor.default(1),
  full: flag,
})

export const watchFlags = runFlags
  .pick({
    url: true,
    host: true,
    port: true,
    model: true,
    apiKey: true,
    apiKeyFile: true,
    header: true,
    insecure: true,
    engine: true,
    headless: true,
    color: true,
    ascii: true,
  })
  .extend({
    once: flag,
    json: flag,
    format: z.enum(['text', 'json'], 'is text or json').default('text'),
  })

export const doctorFlags = runFlags.extend({
  format: z.enum(['text', 'json'], 'is text or json').default('text'),
})

export const simulateFlags = z.object({
  port: integer(0, 65_535).default(30_000),
  profile: z.string().default('qwen3.5-35b-a3b-h200'),
  speed: factor.default(1),
  seed: integer(0, 2 ** 31).default(1),
  apiKey: z.string().optional(),
  adminApiKey: z.string().optional(),
  dialect: z.string().optional(),
  dp: integer(1, 64).optional(),
  streamInterval: integer(1, 1000).optional(),
  maxQueuedRequests: integer(0).optional(),
  reasoningParser: z.string().optional(),
  fault: z.array(z.string()).default([]),
})

export type RunFlags = z.infer<typeof runFlags>
export type DemoFlags = z.infer<typeof demoFlags>
export type WatchFlags = z.infer<typeof watchFlags>

/** Validates flags; throws FlagError with one line that names the flag. */
export function readFlags<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new FlagError(String(issue?.path[0] ?? ''), issue?.message ?? 'invalid')
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}
