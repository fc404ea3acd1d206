/** One line of a metrics page. */
export type Series = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const metricName = /\s*([a-zA-Z_:][a-zA-Z0-9_:]*)(?=[\s{])\s*/y
const labelName = /[\s,]*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"/y
const labelsEnd = /[\s,]*\}/y
/** Anything behind the value is a timestamp or an exemplar. */
const sampleValue = /\s*(\S+)/y
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const escapeInLabel = /\\(.)/g
const notFinite: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
}

/**
 * The series of a page in Prometheus text or OpenMetrics format, in its order, copies included. Tolerant: a line that cannot be
 * read is left out, comments and types are not needed. Takes time proportional to the text; never throws.
 */
export function parsePrometheusText(text: string): Series[] {
  const series: Series[] = []
  for (const line of text.split('\n')) {
    const one = parseLine(line)
    if (one !== null) series.push(one)
  }
  return series
}

function parseLine(line: string): Series | null {
  const name = matchAt(metricName, line, 0)
  if (name === null) return null
  const labels: Record<string, string> = {}
  let position = metricName.lastIndex
  if (line[position] === '{') {
    position++
    for (let key = matchAt(labelName, line, position); key !== null; ) {
      const start = labelName.lastIndex
      const end = closingQuote(line, start)
      if (end === -1) return null
      labels[key] = unescapeLabel(line.slice(start, end))
      position = end + 1
      key = matchAt(labelName, line, position)
    }
    if (matchAt(labelsEnd, line, position) === null) return null
    position = labelsEnd.lastIndex
  }
  const value = parseValue(matchAt(sampleValue, line, position))
  return value === null ? null : { name, labels, value }
}

/** Matches a sticky expression; gives its group, or all of it. */
function matchAt(expression: RegExp, line: string, position: number): string | null {
  expression.lastIndex = position
  const match = expression.exec(line)
  return match === null ? null : (match[1] ?? match[0])
}

function closingQuote(line: string, from: number): number {
  let end = line.indexOf('"', from)
  while (end !== -1 && isEscaped(line, from, end)) end = line.indexOf('"', end + 1)
  return end
}

function isEscaped(line: string, from: number, at: number): boolean {
  let backslashes = 0
  while (at - backslashes > from && line[at - backslashes - 1] === '\\') backslashes++
  return backslashes % 2 === 1
}

function unescapeLabel(value: string): string {
  return value.includes('\\') ? value.replace(escapeInLabel, (_, one) => (one === 'n' ? '\n' : one)) : value
}

function parseValue(text: string | null): number | null {
  if (text === null) return null
  return decimal.test(text) ? Number(text) : (notFinite[text.toLowerCase()] ?? null)
}
