import { CheckedJson } from './checked-json.ts'
import type { Grid } from './grid.ts'
import type { Profile, Speculative } from './profile.ts'

/** A profile from a parsed JSON document; throws an Error that names the field for one that is missing, wrong or out of range. */
export function parseProfile(document: unknown): Profile {
  const json = new CheckedJson(document)
  const limits = readLimits(json.at('limits'))
  const profile = {
    name: json.at('name').text(),
    about: readAbout(json.at('about')),
    model: {
      path: json.at('model').at('path').text(),
      servedName: json.at('model').at('servedName').text(),
      architecture: json.at('model').at('architecture').text(),
    },
    launch: readLaunch(json.at('launch')),
    limits,
    speculative: json.at('speculative').optional(readSpeculative),
    host: {
      tokenizerUs: json.at('host').at('tokenizerUs').number(0),
      requestMs: json.at('host').at('requestMs').number(0),
      disconnectMs: json.at('host').at('disconnectMs').number(0),
    },
    prefill: readPrefill(json.at('prefill')),
    decode: {
      fixedMs: json.at('decode').at('fixedMs').number(0),
      streamMs: json.at('decode').at('streamMs').number(0),
      streamExponent: json.at('decode').at('streamExponent').number(0),
      contextMs: json.at('decode').at('contextMs').number(0),
    },
    jitter: json.at('jitter').number(0),
  }
  if (profile.decode.fixedMs + profile.decode.streamMs <= 0)
    throw new Error('decode.fixedMs and decode.streamMs are both 0: a step would take no time')
  return profile
}

function readAbout(json: CheckedJson): Profile['about'] {
  const texts = (key: string) =>
    json
      .at(key)
      .list()
      .map(item => item.text())
  return {
    source: json.at('source').text(),
    published: texts('published'),
    fitted: texts('fitted'),
    assumed: texts('assumed'),
  }
}

function readLaunch(json: CheckedJson): Profile['launch'] {
  return {
    tensorParallel: json.at('tensorParallel').integer(1),
    dataParallel: json.at('dataParallel').integer(1),
    loadBalance: json.at('loadBalance').oneOf(['round-robin', 'least-loaded']),
    overlap: json.at('overlap').flag(),
    streamInterval: json.at('streamInterval').integer(1),
  }
}

function readLimits(json: CheckedJson): Profile['limits'] {
  const limits = {
    contextTokens: json.at('contextTokens').integer(1),
    kvPoolTokens: json.at('kvPoolTokens').integer(1),
    pageTokens: json.at('pageTokens').integer(1),
    chunkedPrefillTokens: json.at('chunkedPrefillTokens').integer(1),
    maxPrefillTokens: json.at('maxPrefillTokens').integer(1),
    maxRunningRequests: json.at('maxRunningRequests').integer(1),
    state: json.at('state').optional(state => ({
      total: state.at('total').integer(1),
      reservedPerRequest: state.at('reservedPerRequest').integer(1),
      heldPerRequest: state.at('heldPerRequest').integer(0),
    })),
  }
  const { kvPoolTokens, pageTokens, chunkedPrefillTokens, state } = limits
  if (kvPoolTokens % pageTokens !== 0)
    throw new Error('limits.kvPoolTokens must be a multiple of limits.pageTokens')
  if (chunkedPrefillTokens < pageTokens)
    throw new Error('limits.chunkedPrefillTokens must be at least limits.pageTokens')
  if (state !== null && state.total < state.reservedPerRequest)
    throw new Error('limits.state.total must be at least limits.state.reservedPerRequest')
  return limits
}

function readSpeculative(json: CheckedJson): Speculative {
  const draftTokens = json.at('draftTokens').integer(2)
  const acceptLength = json.at('acceptLength').number(1)
  if (acceptLength > draftTokens)
    throw new Error('speculative.acceptLength must be at most speculative.draftTokens')
  const lag = json.at('lag').number(0)
  if (lag >= 1) throw new Error('speculative.lag must be below 1')
  return {
    algorithm: json.at('algorithm').text(),
    draftTokens,
    acceptLength,
    residual: json.at('residual').optional(readGrid),
    lag,
  }
}

function readPrefill(json: CheckedJson): Profile['prefill'] {
  return {
    batchMs: json.at('batchMs').number(0),
    tokenMs: json.at('tokenMs').number(0),
    pairMs: json.at('pairMs').number(0),
    residual: json.at('residual').optional(residual => {
      const tokens = readAxis(residual.at('tokens'))
      return { tokens, factors: readLine(residual.at('factors'), tokens.length) }
    }),
  }
}

function readGrid(json: CheckedJson): Grid {
  const rows = readAxis(json.at('rows'))
  const columns = readAxis(json.at('columns'))
  const values = json
    .at('values')
    .list()
    .map(line => readLine(line, columns.length))
  if (values.length !== rows.length)
    throw new Error(`${json.path}.values must have a line for each of the ${rows.length} rows`)
  return { rows, columns, values }
}

function readAxis(json: CheckedJson): number[] {
  const points = json.list().map(point => point.number(1))
  if (points.length === 0 || points.some((point, i) => i > 0 && point <= (points[i - 1] ?? point)))
    throw new Error(`${json.path} must be a list of ascending numbers`)
  return points
}

function readLine(json: CheckedJson, length: number): number[] {
  const values = json.list().map(value => value.number(0))
  if (values.length !== length) throw new Error(`${json.path} must have ${length} numbers`)
  return values
}
