/** One figure of a published page: where it stands and what is written there. */
export type PageFigure = { readonly place: string; readonly text: string }

/** All that a published page tells, each piece by its place. Two layouts: `|` and glued parts, or tabs. */
export function readPage(page: string): readonly PageFigure[] {
  const lines = page
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return [...headFigures(page), ...facts(lines), ...prefill(lines), ...matrix(lines), ...measurements(lines)]
}

function headFigures(page: string): readonly PageFigure[] {
  const [range = ''] = /\d contexts \(.*/.exec(page) ?? []
  const [, month, day, year, time] = /Measured (\w+) (\d+), (\d+), (\d\d:\d\d) UTC/.exec(page) ?? []
  if (month !== undefined && month !== 'Sep') throw new Error(`no month is called ${month} here`)
  const measured = month === undefined ? [] : [{ place: 'measured', text: `${year}-09-0${day} ${time} UTC` }]
  return [{ place: 'range', text: range }, ...measured]
}

const factNames = [
  'Type GPU VRAM OS Engine Version Quantization Backend Repository Build Commit Revision'.split(' '),
  ['GPU count', 'Served model', 'Benchmark tool', 'Decode test', 'Prefill mode'],
  ['Time per measurement', 'Max output', 'Launch command'],
].flat()

/** `Name: value`, or `- Name` with `- value` in the next line. */
function facts(lines: readonly string[]): readonly PageFigure[] {
  return factNames.flatMap(name => {
    const inline = lines.find(line => line.startsWith(`${name}: `))
    const index = lines.findIndex(
      (line, at) =>
        (line === `- ${name}` && lines[at + 1]?.startsWith('- ')) ||
        (line === name && name === 'Launch command'),
    )
    const value =
      inline?.slice(name.length + 2) ?? (index < 0 ? undefined : lines[index + 1]?.replace(/^- /, ''))
    return value === undefined ? [] : [{ place: name, text: value }]
  })
}

function prefill(lines: readonly string[]): readonly PageFigure[] {
  return lines.flatMap(line => {
    const [, context, speed, ttft] =
      /(\d+K) context(\d+(?:\.\d)?K|\d,\d{3})([\d,]+ ms) TTFT$/.exec(line) ?? []
    if (context === undefined || speed === undefined || ttft === undefined) return []
    const place = `prefill ${context}`
    return [
      { place: `${place} tok/s`, text: speed },
      { place: `${place} TTFT`, text: ttft },
    ]
  })
}

function matrix(lines: readonly string[]): readonly PageFigure[] {
  const [head = [], ...rows] = tableAfter(lines, /Context[\s|]+1[\s|]+2\b/)
  return rows.flatMap(([context = '', ...cells]) =>
    cells.flatMap((cell, index) => {
      const place = `matrix ${context} × ${head[index + 1]}`
      if (cell === 'Over capacity') return [{ place: `${place} status`, text: cell }]
      const [, speed, status = 'Valid', ttft] =
        /^([\d,]+\.\d)(Requests queued)?([\d,]+ ms) TTFT$/.exec(cell) ?? []
      if (speed === undefined || ttft === undefined) throw new Error(`what is "${cell}"?`)
      return [
        { place: `${place} tok/s`, text: speed },
        { place: `${place} status`, text: status },
        { place: `${place} TTFT`, text: ttft },
      ]
    }),
  )
}

function measurements(lines: readonly string[]): readonly PageFigure[] {
  const [titles = [], ...rows] = tableAfter(lines, /Phase[\s|]+Context\b/)
  return rows.flatMap(row =>
    row.slice(3).map((text, index) => ({
      place: `all ${row[0]} ${row[1]} × ${row[2]} ${titles[index + 3]}`,
      text,
    })),
  )
}

/** The line that holds the titles, and the rows up to the first line with fewer cells. */
function tableAfter(lines: readonly string[], titles: RegExp): readonly (readonly string[])[] {
  const start = lines.findIndex(line => titles.test(line))
  // The titles may follow other text in their line.
  const head = cellsOf(lines[start]?.replace(/^.*?(?=\|? ?(?:Phase|Context)[\s|])/, '') ?? '')
  const rows = lines.slice(start + 1).map(cellsOf)
  const body = rows.filter(row => !row.every(cell => /^-+$/.test(cell)))
  const end = body.findIndex(row => row.length < head.length)
  return [head, ...(end < 0 ? body : body.slice(0, end))]
}

function cellsOf(line: string): readonly string[] {
  const separator = line.includes('\t') ? /\t/ : /\s*\|\s*/
  return line
    .replace(/^\s*\||\|\s*$/g, '')
    .split(separator)
    .map(cell => cell.trim())
}
