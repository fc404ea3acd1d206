import { emptyDistribution } from '../domain/statistics.ts'
import { type Figures, noFigures } from './build-result.ts'
import { type ResultCell, type ResultDocument, type ResultPrefill, schemaVersion } from './schema.ts'

type Run = ResultDocument['run']
type Server = ResultDocument['server']

/** What another tool's file tells. What it does not tell is left out, and becomes `null`. */
export type Told = {
  readonly from: string
  readonly version: string | null
  /** Names the run among others of its tool: a time as the tool wrote it, an id. */
  readonly name: string | null
  readonly run?: Partial<Run>
  readonly options?: Partial<Run['options']>
  readonly url?: string | null
  readonly engine?: Partial<Server['engine']>
  readonly model: Partial<Server['model']>
  readonly limits?: Partial<Server['limits']>
  readonly launch?: Partial<Server['launch']>
  readonly prefill?: ResultPrefill[]
  readonly decode: readonly ResultCell[]
  /** Everything in the file that has no place in ours. */
  readonly aside: Record<string, unknown>
}

/** Another tool's file as a result of ours. Nothing is invented: unknown is `null`. */
export function importedResult(told: Told): ResultDocument {
  const decode = [...told.decode].sort(byPlace)
  return {
    schema: 'tokgrid/result',
    schemaVersion,
    tool: { name: told.from, version: told.version, node: null },
    run: {
      id: [told.from, told.name].filter(part => part !== null).join(' '),
      startedAt: null,
      endedAt: null,
      ending: 'completed',
      message: null,
      command: null,
      promptSet: null,
      ...told.run,
      options: {
        contexts: distinct(decode.map(cell => cell.contextTokens)),
        concurrency: distinct(decode.map(cell => cell.concurrency)),
        durationSeconds: null,
        maxOutputTokens: null,
        prompts: null,
        seed: null,
        temperature: null,
        ...told.options,
      },
    },
    server: {
      url: told.url ?? null,
      engine: { ...unknownEngine, ...told.engine },
      model: { id: null, path: null, revision: null, ...told.model },
      limits: { ...noLimits, ...told.limits },
      launch: { command: null, settings: {}, ...told.launch },
      features: null,
    },
    hardware: { gpus: null, host: null },
    prefill: told.prefill ?? [],
    decode,
    described: {},
    imported: { from: told.from, version: told.version, aside: told.aside },
  }
}

/** A cell with the figures that are known; the others are `null`. */
export function importedCell(
  cell: Pick<ResultCell, 'contextTokens' | 'concurrency' | 'status'> & Partial<ResultCell>,
): ResultCell {
  return {
    limit: null,
    limits: [],
    reasons: [],
    ...noFigures,
    scalingEfficiency: null,
    partial: null,
    ...cell,
  }
}

type Distribution = NonNullable<Figures['itlMs']>

/** TTFT of all requests of a cell together, launch and steady: other tools do not keep them apart. */
export function ttftOfAll(all: Distribution): Figures['ttftMs'] {
  return { headline: all.p50, source: 'all', steady: emptyDistribution, launch: emptyDistribution, all }
}

/** Total tok/s without an interval: other tools give none. */
export function totalOf(tokensPerSecond: number): Figures['totalTokensPerSecond'] {
  const none = { ci95: null, n: 0 }
  return { mean: tokensPerSecond, ci95: null, batchMeans: none, requestLevel: none }
}

/** Said of cells whose figures are not those of a window. */
export const wholeRun = {
  kind: 'whole-run',
  message: 'ramp-up and tail included',
}

/** What the server said of itself, of a tool that did not ask it. */
export const untold: NonNullable<ResultCell['server']> = {
  running: { mean: null, max: null },
  queued: { mean: null, max: null, share: null },
  kvCacheUsage: { mean: null, max: null },
  stateSlotUsage: { mean: null, max: null },
  tokensPerSecond: null,
  agreement: null,
  agreementTolerance: null,
  acceptLength: null,
  retractions: null,
}

export function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** Contexts ascending, within one concurrency ascending. */
export function byPlace(a: ResultCell, b: ResultCell): number {
  return a.contextTokens - b.contextTokens || a.concurrency - b.concurrency
}

const unknownEngine: Server['engine'] = {
  name: null,
  version: null,
  quantization: null,
  backend: null,
  build: null,
  commit: null,
}

const noLimits: Server['limits'] = {
  contextTokens: null,
  kvCacheTokens: null,
  maxRunningRequests: null,
  pageSize: null,
  dataParallelRanks: null,
}
