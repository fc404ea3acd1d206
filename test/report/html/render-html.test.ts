import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildPage } from '../../../bin/build-page.ts'
import { type PageAssets, renderHtml } from '../../../src/report/html/render-html.ts'
import type { PageData } from '../../../src/report/html/report-run.ts'
import { sampleResult } from '../../support/sample-result.ts'
import { fullResult } from './full-result.ts'
import { hostileResult, hostileText } from './hostile-result.ts'

let page: PageAssets

beforeAll(async () => {
  page = await buildPage()
})

const full = fullResult({ seed: 1, speed: 1, kvCacheTokens: 1e9 })

/** What a reader without a script sees. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function dataOf(html: string): PageData {
  return JSON.parse(/<script type="application\/json" id="data">(.*)<\/script>/.exec(html)?.[1] ?? '')
}

describe('the page', () => {
  test('is below 1.5 MB for a full matrix with series, and below 100 KB without its figures', () => {
    expect(full.decode.length).toBe(72)
    expect(full.decode.every(({ series }) => series?.tokensPerSecond.length === 30)).toBe(true)
    expect(renderHtml([full], { page }).length).toBeLessThan(1_500_000)
    expect(page.script.length + page.style.length).toBeLessThan(100_000)
  })

  test('shows total and TTFT of every cell without its script, and keeps all figures for it', () => {
    const html = renderHtml([full], { page })
    const text = textOf(html)
    const inWords = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    for (const { totalTokensPerSecond, windowSeconds } of full.decode) {
      expect(text).toContain(inWords.format(totalTokensPerSecond?.mean ?? 0))
      expect(windowSeconds).toBe(30)
    }
    for (const { tokensPerSecond } of full.prefill)
      expect(text).toContain(Math.round(tokensPerSecond ?? 0).toLocaleString('en-US'))
    const [run] = dataOf(html).runs
    expect(run?.cells.map(({ notes: _, reasons: __, ...figures }) => figures)).toEqual(
      full.decode.map(({ reasons: _, ...figures }) => figures),
    )
  })

  test('loads nothing and runs no script but its own', () => {
    const html = renderHtml([sampleResult()], { page })
    expect(html).not.toMatch(/(?:src|href|action|srcset)\s*=\s*["']?(?!#)[^"'#\s>]/i)
    expect(html).not.toMatch(/url\(|@import|<link|<iframe|<form|\son\w+=/i)
    const policy = /content="([^"]*)"/.exec(/<meta http-equiv[^>]*>/.exec(html)?.[0] ?? '')?.[1] ?? ''
    const hash = (text: string) => createHash('sha256').update(text).digest('base64')
    expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash(page.script)}'`,
      `style-src 'sha256-${hash(page.style)}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  test('keeps the texts of others texts: no element, no script, no control character comes of them', () => {
    const html = renderHtml([hostileResult(), hostileResult()], { page, names: [hostileText, hostileText] })
    expect(html.match(/<\/script>/g)?.length).toBe(2)
    expect(html).not.toContain('<img')
    expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Control}\p{Format}\u2028\u2029]/u)
    expect(textOf(html)).toContain("onerror=&quot;document.title='taken'&quot;")
  })

  test('shows what is not known as such, and never a word of the program', () => {
    const text = textOf(renderHtml([hostileResult()], { page }))
    expect(text).not.toMatch(/\b(?:NaN|undefined|null|Infinity)\b/)
    expect(text).not.toMatch(/\[object/)
    expect(text).toContain('Not known')
  })

  test('says first of all that a run did not come to its end', () => {
    const stopped = sampleResult()
    const html = renderHtml(
      [{ ...stopped, run: { ...stopped.run, ending: 'stopped', message: 'by SIGINT' } }],
      {
        page,
      },
    )
    const text = textOf(html)
    expect(text).toContain('The run was stopped before its end: by SIGINT.')
    expect(text.indexOf('stopped before')).toBeLessThan(text.indexOf('Sustained decode'))
    expect(textOf(renderHtml([stopped], { page }))).not.toContain('before its end')
  })

  test('of a run of prefill alone has no matrix', () => {
    const html = renderHtml([{ ...full, decode: [] }], { page })
    expect(html).not.toContain('id="matrix"')
    expect(textOf(html)).toContain('Cold prompts, one at a time')
  })
})

describe('a page of several runs', () => {
  const faster = fullResult({ seed: 1, speed: 1.25, kvCacheTokens: 1e9 })

  test('names each of them, by letters when nobody names them', () => {
    const html = renderHtml([full, faster, full], { page })
    expect(dataOf(html).runs.map(({ name }) => name)).toEqual(['A', 'B', 'C'])
    expect(textOf(renderHtml([full, faster], { page, names: ['old', 'new'] }))).toMatch(/old\s+·/)
  })

  test('marks the facts in which they differ', () => {
    const other = {
      ...full,
      server: { ...full.server, engine: { ...full.server.engine, version: '0.5.20' } },
    }
    const html = renderHtml([full, other], { page })
    expect(
      html
        .match(/<tr class="differs">.*?<\/tr>/g)
        ?.map(textOf)
        .join(),
    ).toMatch(/Version\s+≠\s+0\.5\.9\s+0\.5\.20/)
  })

  test('as a comparison tells its words first and shows the differences in the matrix', () => {
    const sections = [
      {
        heading: 'On the whole',
        lines: ['new is faster'],
        table: { columns: [{ title: 'tok/s', align: 'right' } as const], rows: [['+25.0%✓']] },
      },
    ]
    const html = renderHtml([full, faster], {
      page,
      names: ['old', 'new'],
      comparison: { sections, runNoise: 0.01 },
    })
    const text = textOf(html)
    expect(text.indexOf('new is faster')).toBeGreaterThan(0)
    expect(text.indexOf('new is faster')).toBeLessThan(text.indexOf('Sustained decode'))
    expect(text).toContain('From old to new.')
    // The same seed: each cell is faster by exactly a quarter, far more than its interval of ± 5 %.
    expect(html.match(/class="gain-3" data-cell/g)?.length).toBe(72)
  })
})
