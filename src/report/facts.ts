import { cleanText } from '../format/clean-text.ts'
import { count, decimal, unknown } from '../format/units.ts'
import type { RunResult } from '../result/schema.ts'

/** What is known of a run beside its figures; texts are clean, `–` is not known. */
export type Fact = {
  readonly group: 'Hardware' | 'Engine' | 'Run'
  readonly name: string
  /** Whether the text is others' words as they stand in the result. */
  readonly isQuoted: boolean
  readonly text: string
}

/** All facts, in the order of a report. */
export function factsOf(result: RunResult): readonly Fact[] {
  const { hardware, server, run, tool, imported, described } = result
  const { engine, model, limits } = server
  const { host, gpus } = hardware
  const { options, notes } = run
  return [
    ...group('Hardware', [
      own('Type', hardwareType(gpus)),
      quoted('GPU', gpus === null ? null : distinct(gpus.map(({ name }) => name)) || 'none'),
      own('GPU count', count(gpus?.length ?? null)),
      own('GPU memory', gpuMemory(gpus)),
      quoted('Driver', distinct((gpus ?? []).flatMap(({ driver }) => driver ?? []))),
      quoted('CPU', host?.cpu),
      own('CPU cores', count(host?.cores ?? null)),
      own('Memory', gibibytes(host?.memoryMiB ?? null)),
      quoted('OS', host?.os),
    ]),
    ...group('Engine', [
      quoted('Engine', engine.name),
      quoted('Version', engine.version),
      quoted('Quantization', engine.quantization),
      quoted('Backend', engine.backend),
      quoted('Repository', engine.repository),
      quoted('Build', engine.build),
      quoted('Commit', engine.commit),
      own('Context limit', withUnit(limits.contextTokens, 'tokens')),
      own('KV cache', withUnit(limits.kvCacheTokens, 'tokens')),
      own('Requests at once', count(limits.maxRunningRequests)),
      own('Data-parallel ranks', count(limits.dataParallelRanks)),
    ]),
    ...group('Run', [
      quoted('Served model', model.id),
      quoted('Model path', model.path),
      quoted('Revision', model.revision),
      quoted('Server', server.url),
      quoted('Benchmark tool', `${tool.name}${tool.version === null ? '' : ` v${tool.version}`}`),
      own('Started', timeText(run.startedAt)),
      own('Ended', `${timeText(run.endedAt)}${run.ending === 'completed' ? '' : ` (${run.ending})`}`),
      ...(imported === null
        ? [own('Decode test', 'fixed duration'), own('Prefill mode', 'cold prompts, one at a time')]
        : []),
      own(
        'Time per measurement',
        options.durationSeconds === null ? unknown : `${options.durationSeconds} s`,
      ),
      own('Max output', withUnit(options.maxOutputTokens, 'tokens')),
      own('Prompts', promptText(options.prompts)),
      own('Temperature', temperatureText(options.temperature, imported === null)),
      ...addedToRequests(options),
      own('Seed', options.seed === null ? unknown : String(options.seed)),
      quoted('Prompt set', promptSetText(run.promptSet)),
      quoted('Command', run.command),
      ...Object.entries(notes).map(([name, text]) => quoted(cleanText(name), text)),
      ...Object.entries(described).map(([path, found]) =>
        quoted('Told by the operator', found === null ? path : `${path}, where ${found} was found`),
      ),
    ]),
  ]
}

/** The facts that are known, and at the end of each group the names of those that are not. */
export function withUnknown(facts: readonly Fact[]): readonly Fact[] {
  const groups = [...new Set(facts.map(({ group }) => group))]
  return groups.flatMap(group => {
    const all = facts.filter(fact => fact.group === group)
    const missing = all.filter(({ text }) => text === unknown).map(({ name }) => name)
    const known = all.filter(({ text }) => text !== unknown)
    return missing.length === 0
      ? known
      : [...known, { group, name: 'Not known', text: missing.join(', '), isQuoted: false }]
  })
}

function group(name: Fact['group'], facts: readonly Omit<Fact, 'group'>[]): readonly Fact[] {
  return facts.map(fact => ({ group: name, ...fact }))
}

function own(name: string, text: string): Omit<Fact, 'group'> {
  return { name, text, isQuoted: false }
}

function quoted(name: string, text: string | null | undefined): Omit<Fact, 'group'> {
  const clean = cleanText(text ?? '')
  return { name, text: clean || unknown, isQuoted: clean !== '' }
}

/** 2026-11-30 21:42 UTC; other zones as their difference to it. */
export function timeText(iso: string | null): string {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^Z+-]*(Z|[+-]\d\d:\d\d)$/.exec(iso ?? '') ?? []
  if (day === undefined || time === undefined) return unknown
  return `${day} ${time} ${zone === 'Z' ? 'UTC' : `UTC${zone ?? ''}`}`
}

type Gpus = RunResult['hardware']['gpus']

/** 2 × NVIDIA H200, each kind once. */
export function gpuNames(gpus: Gpus): string {
  if (gpus === null) return unknown
  if (gpus.length === 0) return 'none'
  const names = gpus.map(gpu => cleanText(gpu.name))
  return [...new Set(names)]
    .map(name => `${names.filter(other => other === name).length} × ${name}`)
    .join(', ')
}

/** A GPU that tells of memory of its own shares none with the host. */
function hardwareType(gpus: Gpus): string {
  const isDiscrete = gpus !== null && gpus.length > 0 && gpus.every(({ memoryMiB }) => memoryMiB !== null)
  return isDiscrete ? 'Discrete GPU' : unknown
}

/** 282 GiB (2 × 141 GiB) */
function gpuMemory(gpus: Gpus): string {
  const sizes = (gpus ?? []).flatMap(({ memoryMiB }) => memoryMiB ?? [])
  if (sizes.length === 0 || sizes.length < (gpus?.length ?? 0)) return unknown
  const total = gibibytes(sizes.reduce((sum, size) => sum + size, 0))
  if (sizes.length === 1) return total
  const parts = [...new Set(sizes)].map(
    size => `${sizes.filter(other => other === size).length} × ${gibibytes(size)}`,
  )
  return `${total} (${parts.join(' + ')})`
}

function promptText(prompts: RunResult['run']['options']['prompts']): string {
  if (prompts === null) return unknown
  return prompts === 'unique' ? 'one for each stream' : 'one for all streams'
}

/** What a run of ours does not set is left to the server; of another tool's it is not known. */
function temperatureText(temperature: number | null, isOurs: boolean): string {
  if (temperature !== null) return String(temperature)
  return isOurs ? 'left to the server' : unknown
}

/** Only what is not as usual. */
function addedToRequests({ endpoint, extraBody = {} }: RunResult['run']['options']) {
  return [
    ...(endpoint === 'completions' ? [own('Endpoint', 'completions, without the chat template')] : []),
    ...Object.entries(extraBody).map(([name, value]) =>
      quoted('Added to requests', `${name}: ${JSON.stringify(value)}`),
    ),
  ]
}

function promptSetText(set: RunResult['run']['promptSet']): string | null {
  return set === null ? null : `version ${set.version}, ${set.hash}, nonce ${set.nonce}`
}

function gibibytes(mebibytes: number | null): string {
  return mebibytes === null ? unknown : `${decimal(mebibytes / 1024, 0)} GiB`
}

function withUnit(value: number | null, unit: string): string {
  return value === null ? unknown : `${count(value)} ${unit}`
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts.map(cleanText))].join(', ')
}
