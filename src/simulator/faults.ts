/** Numbers of a fault by name, in the unit that the name says. */
type Numbers = { readonly [name: string]: number }

function form<const Kind extends string, Given extends Numbers>(kind: Kind, effect: string, defaults: Given) {
  const make = (numbers: Numbers): { readonly kind: Kind } & Readonly<Given> => {
    const all: Given = { ...defaults, ...numbers }
    return { kind, ...all }
  }
  return { kind, effect, defaults, make }
}

/** What can go wrong with a generation; those with `every` hit each K-th request from when they were set. */
const streamForms = [
  form('refuse', 'every K-th generation request gets HTTP 503', { every: 3 }),
  form('stream-error', 'an error event inside the stream after N tokens', { every: 1, afterTokens: 10 }),
  form('cut', 'the connection is closed inside the stream after N tokens', { every: 1, afterTokens: 10 }),
  form('stall', 'the stream goes silent after N tokens, and stays open', { every: 1, afterTokens: 10 }),
  form('endless-line', 'after N tokens comes a line that never ends', { every: 1, afterTokens: 10 }),
  form('slow-start', 'the first token comes late, and the rest with it', { every: 1, delayMs: 2000 }),
  form('no-usage', 'no usage, whatever the client asks for', {}),
  form('final-usage-only', 'continuous_usage_stats is ignored, as by older servers', {}),
  form('crlf', 'lines of the stream end in CRLF', {}),
  form('split', 'frames come in pieces, cut at any byte', {}),
  form('multibyte', 'text with emoji, U+2028, U+0085 and bytes held back until a character is whole', {}),
] as const

/** What can go wrong with /metrics. */
const metricsForms = [
  form('no-metrics', '/metrics is not found, as without --enable-metrics', {}),
  form('slow-metrics', '/metrics answers late', { delayMs: 3000 }),
  form('nan-metrics', 'every gauge is NaN', {}),
  form('no-realtime-counters', '/metrics has no realtime_tokens_total, as in older servers', {}),
  form('html-metrics', '/metrics is a web page', {}),
  form('binary-metrics', '/metrics is binary', {}),
  form('redirect-metrics', '/metrics redirects to /metrics/', {}),
] as const

/** What can go wrong with the whole server, once. */
const lifeForms = [
  form('die', 'the server closes all connections and its port', { afterMs: 0, afterTokens: 0 }),
  form('restart', 'the same, and comes back with nothing remembered', {
    afterMs: 0,
    afterTokens: 0,
    downMs: 1000,
  }),
] as const

const otherForms = [
  form('zombies', 'a closed connection goes unnoticed: its request runs to its end', {}),
  form('abort-ignored', '/abort_request says 200 and does nothing', {}),
  form('abort-slow', '/abort_request says 200 and takes effect later', { delayMs: 3000 }),
  form('no-loads', '/v1/loads and /get_load are not found, as in older servers', {}),
  form('no-abort', '/abort_request is not found, as behind some proxies', {}),
  form('no-tokenize', '/tokenize and /detokenize are not found, as in older servers', {}),
  form('no-cache-report', 'usage never names cached tokens, as without --enable-cache-report', {}),
  form('hostile-name', 'the model is named in escape codes, right to left, and at length', {}),
] as const

const forms = [...streamForms, ...metricsForms, ...lifeForms, ...otherForms]

/** Of one generation. */
export type StreamFault = ReturnType<(typeof streamForms)[number]['make']>
/** Of the metrics page. */
export type MetricsFault = ReturnType<(typeof metricsForms)[number]['make']>
/** Of the whole server. */
export type LifeFault = ReturnType<(typeof lifeForms)[number]['make']>

/** Something that a server does wrong on request. */
export type Fault = ReturnType<(typeof forms)[number]['make']>

/** Whether a generation goes wrong by it. */
export function isStreamFault(fault: Fault): fault is StreamFault {
  return streamForms.some(({ kind }) => kind === fault.kind)
}

/** Whether the metrics page goes wrong by it. */
export function isMetricsFault(fault: Fault): fault is MetricsFault {
  return metricsForms.some(({ kind }) => kind === fault.kind)
}

/** Whether it ends the server. */
export function isLifeFault(fault: Fault): fault is LifeFault {
  return lifeForms.some(({ kind }) => kind === fault.kind)
}

/** Every fault as `readFault` takes it, with its default numbers, and what it does. */
export const knownFaults: readonly { readonly fault: string; readonly effect: string }[] = forms.map(one => ({
  fault: faultText(one.make({})),
  effect: one.effect,
}))

/** Reads `kind` or `kind:name=number,name=number`; a sentence that says what is wrong instead where it is none. */
export function readFault(text: string): Fault | { readonly problem: string } {
  const [kind = '', given = ''] = text.split(':', 2)
  const known = forms.find(one => one.kind === kind)
  if (known === undefined)
    return { problem: `unknown fault "${kind}"; there are ${forms.map(one => one.kind).join(', ')}` }
  const numbers: Record<string, number> = {}
  for (const pair of given === '' ? [] : given.split(',')) {
    const [name = '', value = ''] = pair.split('=')
    if (!Object.hasOwn(known.defaults, name) || !/^\d{1,9}$/.test(value))
      return { problem: `"${pair}" is no number of the fault "${kind}"; write ${faultText(known.make({}))}` }
    numbers[name] = Number(value)
  }
  return known.make(numbers)
}

/** The fault as `readFault` takes it. */
export function faultText({ kind, ...numbers }: Fault): string {
  const pairs = Object.entries(numbers).map(([name, number]) => `${name}=${number}`)
  return pairs.length === 0 ? kind : `${kind}:${pairs.join(',')}`
}
