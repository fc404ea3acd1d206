import { createHash } from 'node:crypto'
import type { Slo } from '../../domain/run-options.ts'
import type { RunResult } from '../../result/schema.ts'
import type { Section } from '../compare-sections.ts'
import { type Entry, pageTitle } from './header.ts'
import { element, toHtml } from './markup.ts'
import { pageBody } from './page-body.ts'
import { readRun } from './read-run.ts'
import type { PageData } from './report-run.ts'

/** Script and style of the page as the build makes them. */
export type PageAssets = { readonly script: string; readonly style: string }

export type HtmlOptions = {
  readonly page: PageAssets
  /** What tells the runs apart, such as their files; without it they are A, B, C. */
  readonly names?: readonly string[]
  /** `null` or absent: as the run asked. */
  readonly slo?: Slo | null
  /** For a comparison: how the runs after the first differ from it stands before all else, and is what the matrix shows. */
  readonly comparison?: {
    readonly sections: readonly Section[]
    /** 95% half-width of the noise between runs of equal truth, as a share. */
    readonly runNoise: number
  }
}

/** What two runs of the same server differ by when nobody says otherwise. */
const usualNoise = 0.01

/**
 * One HTML file that needs nothing beside itself: the tables and curves stand in it, its script only makes them answer.
 * At least one result. Nothing in it may load from elsewhere, and no other script may run.
 */
export function renderHtml(
  results: readonly RunResult[],
  { page, names, slo = null, comparison }: HtmlOptions,
): string {
  const entries = results.map(
    (result, index): Entry => ({ result, run: readRun(result, names?.[index] ?? letter(index)) }),
  )
  const data: PageData = {
    runs: entries.map(({ run }) => run),
    runNoise: comparison?.runNoise ?? usualNoise,
    slo,
    firstView: comparison === undefined ? 0 : entries.length,
  }
  const body = pageBody(entries, { data, foreword: comparison?.sections ?? [] })
  const policy = `default-src 'none'; script-src ${hashOf(page.script)}; style-src ${hashOf(page.style)}; base-uri 'none'; form-action 'none'`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    toHtml(element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy })),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    toHtml(element('title', {}, `${pageTitle(entries)} – tokgrid`)),
    `<style>${page.style}</style>`,
    '</head>',
    '<body>',
    toHtml(body),
    `<script type="application/json" id="data">${scriptJson(data)}</script>`,
    `<script>${page.script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function letter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + (index % 26))
}

/** JSON that cannot end its script element: ASCII, without `<`. */
function scriptJson(data: PageData): string {
  return JSON.stringify(data).replaceAll(
    /[<\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
