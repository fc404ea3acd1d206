import { describe, expect, test } from 'vitest'
import { csvReport } from '../../src/report/csv-report.ts'
import { markdownReport } from '../../src/report/markdown-report.ts'
import { terminalReport } from '../../src/report/terminal-report.ts'
import { hostileResult } from '../support/random-result.ts'

const seeds = Array.from({ length: 300 }, (_, index) => index + 1)
const results = seeds.map(hostileResult)
const unsafe = /(?![\r\n])\p{Control}|\p{Format}|\p{Surrogate}/u

/** Cells of a line of a table by GitHub's rule: a backslash takes the next character with it, whatever stands around. */
function cellsOf(line: string): number {
  return line.replace(/\\[!-/:-@[-`{-~]/g, '').split('|').length
}

/** Markdown without the parts in which nothing is markup. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(/^(`{3,})sh\n.*\n\1$/gm, '')
    .replace(/<code>[^<>`]*<\/code>/g, '')
    .replace(/`[^`\n]*`|\\[!-/:-@[-`{-~]/g, '')
}

/** RFC 4180. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const fields = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)]
  expect(fields.map(([all]) => all).join('')).toBe(text)
  const rows: string[][] = [[]]
  for (const [, field = '', end] of fields) {
    rows.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

test('random results have all that a result can have', () => {
  const all = JSON.stringify(results)
  for (const piece of ['"over-capacity"', '"source":"steady"', '"gpus":null', '"decode":[]', '<script>'])
    expect(all).toContain(piece)
})

describe('whatever stands in a result', () => {
  test.each([false, true])('the terminal gets no control characters, ascii %s', ascii => {
    for (const [index, result] of results.entries()) {
      const width = 40 + (index % 160)
      const options = { width, ascii, emphasis: false, details: true, slo: null, savedTo: null }
      expect(terminalReport(result, options)).not.toMatch(ascii ? /[^\n -~]/ : unsafe)
    }
  })

  test('its markdown has whole tables, and nothing from outside is markup', () => {
    for (const result of results) {
      const markdown = markdownReport(result, { ttftMs: 1000, itlMs: null })
      expect(markdown).not.toMatch(unsafe)
      for (const table of markdown.match(/(?:^\|.*\n)+/gm) ?? [])
        expect(new Set(table.trimEnd().split('\n').map(cellsOf)).size).toBe(1)
      const bare = withoutCode(markdown)
      const ours = /<br>|^<\/?details>$|^<summary>[\w ]+<\/summary>$/gm
      expect(bare.replaceAll(ours, '')).not.toMatch(/[<@`#](?<!^#+)/m)
    }
  })

  test('its CSV has whole rows, and no text is a formula', () => {
    for (const result of results) {
      const csv = csvReport([{ name: '=file', result }])
      expect(csv).not.toMatch(unsafe)
      const [titles, ...rows] = parseCsv(csv)
      expect(rows.length).toBe(result.prefill.length + result.decode.length)
      for (const row of rows) {
        expect(row.length).toBe(titles?.length)
        expect(row.filter(cell => /^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([])
      }
    }
  })
})
