import { CheckedJson } from '../checked-json.ts'

/** What a benchmark measured on a server, whichever tool did; rates in tok/s, times in ms. Null: not told. */
export type MeasuredTable = {
  readonly title: string
  /** Longest output that the requests asked for, tokens. */
  readonly maxOutputTokens: number
  readonly prefill: readonly MeasuredPrefill[]
  readonly cells: readonly MeasuredCell[]
  readonly server: MeasuredServer
}

/** One prefill row. */
export type MeasuredPrefill = {
  readonly contextTokens: number
  readonly promptTokens: number
  readonly ttftMs: number
}

/** One cell; null: not told. */
export type MeasuredCell = {
  readonly contextTokens: number
  readonly concurrency: number
  readonly status: string
  /** Null in a cell that was not measured. */
  readonly totalTokensPerSecond: number | null
  readonly perRequestTokensPerSecond: number | null
  /** Of the requests that a cell begins with, all at once; a published table has no other. */
  readonly launchTtftMs: number | null
  readonly itlMs: number | null
  /** Requests that the server ran at once, at most or on average as the source tells it. */
  readonly running: number | null
  readonly stepMs: number | null
  readonly tokensPerStep: number | null
}

/** What the file says of the server. */
export type MeasuredServer = {
  readonly modelId: string
  readonly modelPath: string | null
  readonly contextTokens: number | null
  readonly kvPoolTokens: number | null
  readonly pageTokens: number | null
  readonly maxRunningRequests: number | null
  readonly ranks: number
  /** Launch settings by SGLang's names. */
  readonly settings: ReadonlyMap<string, unknown>
}

/** Reads a tokgrid result, or a table of the published shape (`rows` with contextK). Throws, saying where, for anything else. */
export function readMeasuredTable(document: unknown): MeasuredTable {
  const json = new CheckedJson(document)
  if (json.at('schema').value === 'tokgrid/result') return readResult(json)
  if (Array.isArray(json.at('rows').value)) return readPublished(json)
  throw new Error('neither a tokgrid result nor a table with rows')
}

/** The table of the same server at speed 1, when it was measured on one that is `speed` times as fast. */
export function atSpeedOne(table: MeasuredTable, speed: number): MeasuredTable {
  const slower = (rate: number | null) => (rate === null ? null : rate / speed)
  const longer = (ms: number | null) => (ms === null ? null : ms * speed)
  return {
    ...table,
    prefill: table.prefill.map(row => ({ ...row, ttftMs: row.ttftMs * speed })),
    cells: table.cells.map(cell => ({
      ...cell,
      totalTokensPerSecond: slower(cell.totalTokensPerSecond),
      perRequestTokensPerSecond: slower(cell.perRequestTokensPerSecond),
      launchTtftMs: longer(cell.launchTtftMs),
      itlMs: longer(cell.itlMs),
      stepMs: longer(cell.stepMs),
    })),
  }
}

function readResult(json: CheckedJson): MeasuredTable {
  const server = json.at('server')
  const limits = server.at('limits')
  const settings = server.at('launch').at('settings').value
  return {
    title: server.at('model').at('id').text(),
    maxOutputTokens: json.at('run').at('options').at('maxOutputTokens').integer(1),
    prefill: json
      .at('prefill')
      .list()
      .flatMap(row => {
        const ttftMs = row.at('ttftMs').optional(readNumber)
        const contextTokens = row.at('contextTokens').number(0)
        const promptTokens = row.at('promptTokens').optional(readNumber) ?? contextTokens
        return ttftMs === null ? [] : [{ contextTokens, promptTokens, ttftMs }]
      }),
    cells: json.at('decode').list().map(readResultCell),
    server: {
      modelId: server.at('model').at('id').text(),
      modelPath: server.at('model').at('path').optional(readText),
      contextTokens: limits.at('contextTokens').optional(readNumber),
      kvPoolTokens: limits.at('kvCacheTokens').optional(readNumber),
      pageTokens: limits.at('pageSize').optional(readNumber),
      maxRunningRequests: limits.at('maxRunningRequests').optional(readNumber),
      ranks: limits.at('dataParallelRanks').optional(readNumber) ?? 1,
      settings: new Map(typeof settings === 'object' && settings !== null ? Object.entries(settings) : []),
    },
  }
}

function readResultCell(cell: CheckedJson): MeasuredCell {
  const member = (key: string, inner: string) =>
    cell.at(key).optional(json => json.at(inner).optional(readNumber))
  return {
    contextTokens: cell.at('contextTokens').number(0),
    concurrency: cell.at('concurrency').integer(1),
    status: cell.at('status').text(),
    totalTokensPerSecond: member('totalTokensPerSecond', 'mean'),
    perRequestTokensPerSecond: member('perRequestTokensPerSecond', 'p50'),
    launchTtftMs: cell.at('ttftMs').optional(json => json.at('launch').at('p50').optional(readNumber)),
    itlMs: member('itlMs', 'p50'),
    running: member('active', 'mean'),
    stepMs: cell.at('stepMs').optional(readNumber),
    tokensPerStep: cell.at('tokensPerChunk').optional(readNumber),
  }
}

function readPublished(json: CheckedJson): MeasuredTable {
  const run = json.at('run')
  const launch = json.at('launch')
  const rows = json.at('rows').list()
  const tokens = (row: CheckedJson) => row.at('contextK').number(0) * 1024
  const isPrefill = (row: CheckedJson) => row.at('phase').text() === 'prefill'
  return {
    title: json.at('title').text(),
    maxOutputTokens: run.at('maxOutputTokens').integer(1),
    prefill: rows.filter(isPrefill).flatMap(row => {
      const ttftMs = row.at('ttftMs').optional(readNumber)
      return ttftMs === null ? [] : [{ contextTokens: tokens(row), promptTokens: tokens(row), ttftMs }]
    }),
    cells: rows
      .filter(row => !isPrefill(row))
      .map(row => ({
        contextTokens: tokens(row),
        concurrency: row.at('concurrency').integer(1),
        status: row.at('status').text(),
        totalTokensPerSecond: row.at('totalTokPerS').optional(readNumber),
        perRequestTokensPerSecond: row.at('perRequestTokPerS').optional(readNumber),
        launchTtftMs: row.at('ttftMs').optional(readNumber),
        itlMs: row.at('itlMs').optional(readNumber),
        running: row.at('averageActiveRequests').optional(readNumber),
        stepMs: null,
        tokensPerStep: null,
      })),
    server: {
      modelId: run.at('servedModel').text(),
      modelPath: run.at('modelPath').optional(readText),
      contextTokens: launch.at('contextLength').optional(readNumber),
      kvPoolTokens: null,
      pageTokens: null,
      maxRunningRequests: launch.at('maxRunningRequests').optional(readNumber),
      ranks: 1,
      settings: new Map(),
    },
  }
}

function readNumber(json: CheckedJson): number {
  return json.number()
}

function readText(json: CheckedJson): string {
  return json.text()
}
