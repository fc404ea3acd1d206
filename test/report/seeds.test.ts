import { describe, expect, test } from 'vitest'
import { markdownReport } from '../../src/report/markdown-report.ts'
import type { RunResult } from '../../src/result/schema.ts'
import { type SeedName, seedNames, seedPage, seedResult } from '../support/seed-result.ts'
import { type PageFigure, readPage } from './seed-page.ts'

/** Tables of the markdown by the heading above them. */
function tablesOf(markdown: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const tables = new Map<string, string[][]>()
  let heading = ''
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    if (!line.startsWith('| ') || /^[| :-]+$/.test(line)) continue
    const cells = line.slice(2, -2).split(' | ')
    tables.set(heading, [...(tables.get(heading) ?? []), cells])
  }
  return tables
}

const plain = (text: string) => text.replace(/[`*]/g, '').replace(/\\(.)/g, '$1')

/** The markdown's text for each place of the page. */
function readMarkdown(markdown: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const tables = tablesOf(markdown)
  for (const group of ['Hardware', 'Engine', 'Run'])
    for (const [name = '', text = ''] of tables.get(group) ?? []) found.set(plain(name), plain(text))
  for (const [context, speed = '', , ttft = ''] of tables.get('Prefill') ?? []) {
    found.set(`prefill ${context} tok/s`, speed)
    found.set(`prefill ${context} TTFT`, ttft)
  }
  const [concurrency = [], ...rows] = tables.get('Sustained decode') ?? []
  for (const [context, ...cells] of rows)
    cells.forEach((cell, index) => {
      const place = `matrix ${context} × ${concurrency[index + 1]}`
      const parts = cell.split('<br>')
      const speed = parts.find(part => part.startsWith('**'))
      if (speed !== undefined) {
        found.set(`${place} tok/s`, plain(speed))
        found.set(`${place} TTFT`, parts.at(-1)?.replace(' TTFT', '') ?? '')
      }
      found.set(`${place} status`, parts.find(part => /^[≈×]/.test(part))?.slice(2) ?? 'valid')
    })
  const [titles = [], ...all] = tables.get('All measurements') ?? []
  for (const row of all)
    row.forEach((text, index) => {
      found.set(`all ${row[0]} ${row[1]} × ${row[2]} ${titles[index]}`, text)
    })
  found.set('range', /\d contexts \([^\n·]* · prefill at [^\n·]*/.exec(markdown)?.[0].trim() ?? '')
  found.set('measured', /measured ([^\n·]*)/.exec(markdown)?.[1]?.trim() ?? '')
  found.set('Launch command', /```sh\n(.*)\n```/.exec(markdown)?.[1] ?? '')
  return found
}

/** The page's names for what has another one in our report. */
const renamed: Readonly<Record<string, string>> = { VRAM: 'GPU memory' }

const figure = /^([\d,]+(?:\.\d+)?)(K?)( ms| s)?$/

/** Whether `ours` says what the page says: the same number to the page's last digit, or the same words. */
function agrees(page: string, ours: string): boolean {
  if (page === '—') return ours === '–'
  const [, digits, kilo, unit] = figure.exec(page) ?? []
  if (digits === undefined) return words(page) === words(ours)
  const [, own = '', ownKilo, ownUnit] = figure.exec(ours) ?? []
  const scale = kilo === 'K' ? 1000 : 1
  const lastDigit = scale * 10 ** -(digits.split('.')[1]?.length ?? 0)
  const value = (text: string) => Number(text.replaceAll(',', ''))
  const isNear = Math.abs(value(own) - value(digits) * scale) <= lastDigit / 2 + 1e-9
  return own !== '' && ownKilo === '' && ownUnit === unit && isNear
}

/** Gibibytes are what makers of GPUs call GB. */
function words(text: string): string {
  return text.toLowerCase().replaceAll('gib', 'gb').replaceAll('-', ' ')
}

function differences(name: SeedName, result: RunResult): readonly string[] {
  const ours = readMarkdown(markdownReport(result, null))
  return readPage(seedPage(name)).flatMap(({ place, text }: PageFigure) => {
    const own = ours.get(renamed[place] ?? place)
    return own !== undefined && agrees(text, own) ? [] : [`${place}: the page says ${text}, we say ${own}`]
  })
}

describe.each(seedNames)('the markdown of %s', name => {
  test('gives every figure of the published page, in its place', () => {
    expect(differences(name, seedResult(name))).toEqual([])
  })

  test('would be found wrong in each single figure', () => {
    const result = seedResult(name)
    const [first] = result.decode
    const wrong = [
      {
        ...result,
        decode: [{ ...first, outputTokens: (first?.outputTokens ?? 0) + 1 }, ...result.decode.slice(1)],
      },
      { ...result, prefill: result.prefill.map((row, index) => (index === 3 ? { ...row, ttftMs: 1 } : row)) },
      { ...result, server: { ...result.server, launch: { ...result.server.launch, command: 'serve' } } },
      { ...result, decode: [...result.decode].reverse().slice(1).reverse() },
    ]
    for (const other of wrong)
      expect(differences(name, JSON.parse(JSON.stringify(other))).length).toBeGreaterThan(0)
  })
})

test('the published pages are read to the last figure', () => {
  // 64 and 48 cells, 9 and 7 prefill rows; 9 figures for each, and in prefill and matrix 2 or 3, 1 over capacity
  const amount = (name: SeedName, start: string) =>
    readPage(seedPage(name)).filter(({ place }) => place.startsWith(start)).length
  expect(amount('deepseek-v4-flash-2xh200', 'all ')).toBe((64 + 9) * 9)
  expect(amount('qwen3.5-35b-a3b-h200', 'all ')).toBe((48 + 7) * 9)
  expect(amount('deepseek-v4-flash-2xh200', 'prefill ')).toBe(18)
  expect(amount('qwen3.5-35b-a3b-h200', 'prefill ')).toBe(14)
  expect(amount('deepseek-v4-flash-2xh200', 'matrix ')).toBe(43 * 3 + 21)
  expect(amount('qwen3.5-35b-a3b-h200', 'matrix ')).toBe(26 * 3 + 22)
  // 12 one-word facts and 7 others each: one names no commit, the other no GPU count
  const facts = (name: SeedName) =>
    readPage(seedPage(name)).filter(({ place }) => !/^(all|prefill|matrix|range|measured)\b/.test(place))
      .length
  expect(facts('deepseek-v4-flash-2xh200')).toBe(19)
  expect(facts('qwen3.5-35b-a3b-h200')).toBe(19)
})
