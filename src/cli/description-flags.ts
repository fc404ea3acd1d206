import { z } from 'zod'
import { cleanText } from '../format/clean-text.ts'
import type { Description } from '../result/describe-result.ts'
import { redactSettings, redactText } from '../server/redact.ts'
import type { Flag } from './flag-list.ts'

/** What the server does not tell of itself; the operator's word counts more than the server's. */
export const descriptionFlagList: readonly Flag[] = [
  ['--gpu <gpus>', 'GPUs of the server: "2x NVIDIA H200 141GiB"'],
  ['--os <name>', 'operating system of the server'],
  ['--engine-version <version>', 'version of the inference engine'],
  ['--quantization <name>', 'quantization of the weights: fp8, awq'],
  ['--backend <name>', 'what the engine computes with: cuda, fa3'],
  ['--build <name>', 'build of the engine: cuda-13.2'],
  ['--commit <hash>', 'commit of the engine'],
  ['--model-path <name>', 'model behind the served name; also --hf-id'],
  ['--model-revision <name>', 'revision of the model'],
  ['--launch-command <command>', 'how the server was started'],
  ['--note <key=value>', 'anything else that a reader should know; can be repeated', 'repeat'],
]

const word = z
  .string()
  .transform(cleanText)
  .refine(text => text !== '', 'is empty')
  .optional()

const gpus = z.string().transform((text, context) => {
  const found = parseGpus(cleanText(text))
  if (found !== null) return found
  context.addIssue({ code: 'custom', message: `"${text}" names no GPUs (try "2x NVIDIA H200 141GiB")` })
  return z.NEVER
})

const note = z.string().transform((text, context): readonly [string, string] => {
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  const pair = [cleanText(key), cleanText(value)] as const
  if (pair[0] !== '' && pair[1] !== '') return pair
  context.addIssue({ code: 'custom', message: `"${text}" is not key=value` })
  return z.NEVER
})

export const descriptionFlags = {
  gpu: gpus.optional(),
  os: word,
  engineVersion: word,
  quantization: word,
  backend: word,
  build: word,
  commit: word,
  modelPath: word,
  modelRevision: word,
  launchCommand: word,
  note: z.array(note).default([]),
}

export type DescriptionFlags = z.infer<z.ZodObject<typeof descriptionFlags>>

export function descriptionOf(flags: DescriptionFlags): Description {
  return {
    engine: {
      version: flags.engineVersion ?? null,
      quantization: flags.quantization ?? null,
      backend: flags.backend ?? null,
      build: flags.build ?? null,
      commit: flags.commit ?? null,
    },
    model: { path: flags.modelPath ?? null, revision: flags.modelRevision ?? null },
    launchCommand: flags.launchCommand === undefined ? null : redactText(flags.launchCommand),
    gpus: flags.gpu ?? null,
    os: flags.os ?? null,
    notes: redactNotes(flags.note),
  }
}

/** A note is as public as the result, whatever it is called. */
function redactNotes(notes: DescriptionFlags['note']): Record<string, string> {
  const redacted = redactSettings(Object.fromEntries(notes))
  return Object.fromEntries(Object.entries(redacted).map(([name, text]) => [name, String(text)]))
}

/** `2x NVIDIA H200 143771MiB`: how many, which, and the memory of one; count and memory may be absent. */
export function parseGpus(text: string): NonNullable<Description['gpus']> | null {
  const pattern = /^(?:(\d{1,4})\s*[x×]\s+)?(.*?)(?:[\s,]+(\d+(?:\.\d+)?)\s*([MG])i?B)?$/i
  const [, amount = '1', name = '', memory, unit] = pattern.exec(text.trim()) ?? []
  if (name === '' || Number(amount) < 1) return null
  const mebibytes = memory === undefined ? null : Number(memory) * (unit?.toUpperCase() === 'G' ? 1024 : 1)
  return Array.from({ length: Number(amount) }, () => ({ name, memoryMiB: mebibytes }))
}
