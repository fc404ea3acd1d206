import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test } from 'vitest'
import type { RunResult } from '../../src/result/schema.ts'
import { fullResult } from '../report/html/full-result.ts'
import { hostileResult } from '../report/html/hostile-result.ts'
import { type NoBrowser, type OpenBrowser, openBrowser } from '../support/browser.ts'
import { tokgrid } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokgrid-html-'))
let opened: OpenBrowser | NoBrowser = { browser: null, why: 'not started yet' }

beforeAll(async () => {
  const full = { seed: 1, speed: 1, kvCacheTokens: 3_000_000 }
  const results = {
    one: fullResult(full),
    faster: fullResult({ ...full, speed: 1.25 }),
    again: fullResult({ ...full, seed: 2 }),
    third: fullResult({ ...full, seed: 3 }),
    hostile: hostileResult(),
  }
  for (const [name, result] of Object.entries(results)) save(name, result)
  await report('one.html', 'one')
  await report('two.html', 'one', 'faster')
  await report('four.html', 'one', 'faster', 'again', 'third')
  await report('hostile.html', 'hostile')
  opened = await openBrowser()
  if (opened.browser !== null) return
  if (process.env.CI !== undefined) throw new Error(opened.why)
  process.stderr.write(`The HTML report was not tried in a browser, there is none: ${opened.why}\n`)
})

afterAll(async () => {
  if (opened.browser !== null) await opened.close()
  rmSync(folder, { recursive: true })
})

function save(name: string, result: RunResult): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(result))
}

async function report(output: string, ...names: readonly string[]): Promise<void> {
  const files = names.map(name => join(folder, `${name}.json`))
  const { code, stderr } = await tokgrid(['report', ...files, '-o', join(folder, output)])
  if (code !== 0) throw new Error(stderr)
}

/** The page from disk, the network off; the test fails when the browser complains or the page asks for anything. */
async function open({ skip }: TestContext, file: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (opened.browser === null) return skip(`no browser to be had: ${opened.why}`)
  const context = await opened.browser.newContext({
    offline: true,
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  context.setDefaultTimeout(5000)
  const page = await context.newPage()
  const address = pathToFileURL(join(folder, file)).href
  const complaints: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('request', request => {
    if (request.url() !== address) complaints.push(`asked for ${request.url()}`)
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(address)
  return page
}

const cell = (page: Page, key: string) => page.locator(`[data-cell="${key}"]`)
const focusedCell = (page: Page) => page.locator(':focus').getAttribute('data-cell')
/** What an expression of the page's own says. */
const ask = <T>(page: Page, expression: string) => page.evaluate<T>(expression)

/** The different values that a style has among these elements. */
const stylesOf = (page: Page, selector: string, style: string) =>
  ask<string[]>(
    page,
    `[...new Set([...document.querySelectorAll('${selector}')].map(one => getComputedStyle(one).${style}))]`,
  )

describe('the matrix', () => {
  test('changes its figure by a click and by the keyboard', async context => {
    const page = await open(context, 'one.html')
    await page.getByText('per request', { exact: true }).click()
    expect(await page.locator('#matrix caption').textContent()).toMatch(/^per request – /)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('#matrix caption').textContent()).toMatch(/^TTFT – /)
    expect(await page.getByRole('radio', { name: 'TTFT' }).isChecked()).toBe(true)
    expect(await cell(page, '8192x1').textContent()).toMatch(/^1\d\d ms/)
  })

  test('is one stop of Tab, walked by arrows; Enter opens a cell and says so', async context => {
    const page = await open(context, 'one.html')
    await page.getByRole('radio', { name: 'tok/s' }).focus()
    await page.keyboard.press('Tab')
    // The best cell is open at first.
    expect(await focusedCell(page)).toBe('8192x128')
    for (const key of [
      'Control+Home',
      'ArrowUp',
      'ArrowDown',
      'ArrowDown',
      'ArrowRight',
      'End',
      'Home',
      'ArrowRight',
    ])
      await page.keyboard.press(key)
    expect(await focusedCell(page)).toBe('32768x2')
    await page.keyboard.press('Enter')
    expect(await page.locator('#cell-title').textContent()).toBe('32K × 2')
    expect(await page.getByRole('status').first().textContent()).toMatch(/^32K × 2: valid/)
    expect(await page.getByRole('gridcell', { selected: true }).getAttribute('data-cell')).toBe('32768x2')
    expect(await focusedCell(page)).toBe('32768x2')
    await page.keyboard.press('Tab')
    expect(await page.locator('#cell :focus').count()).toBe(1)
  })

  test('opens a cell by a click, with its verdict, its course and its percentiles', async context => {
    const page = await open(context, 'one.html')
    await cell(page, '8192x64').click()
    const panel = page.locator('#cell')
    expect(await panel.locator('h3').textContent()).toBe('8K × 64')
    expect(await panel.locator('.verdict').textContent()).toContain("requests waited in the server's queue")
    expect(await panel.locator('figure').count()).toBe(5)
    expect(await panel.getByRole('row', { name: /^TTFT steady 30 / }).isVisible()).toBe(true)
    await panel.getByText('These curves as numbers').click()
    expect(await panel.getByRole('row', { name: /^29\.50 s / }).isVisible()).toBe(true)
    await cell(page, '1043456x128').click()
    expect(await panel.locator('.verdict').textContent()).toContain(
      'the KV cache holds only 3,000,000 tokens',
    )
    expect(await panel.locator('figure').count()).toBe(0)
  })
})

describe('a curve', () => {
  test('tells its points to the pointer and to the keyboard, and opens their cells', async context => {
    const page = await open(context, 'one.html')
    const figure = page.locator('#plot-throughput')
    const readout = figure.locator('output')
    await figure.locator('.colour-0 .dot').last().hover({ force: true })
    expect(await readout.textContent()).toMatch(/^8K × 128: /)
    await figure.locator('.canvas').focus()
    for (const key of ['Escape', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
    expect(await readout.textContent()).toMatch(/^16K × 2: [\d,.]+ tok\/s, TTFT \d+ ms$/)
    await page.keyboard.press('Enter')
    expect(await page.locator('#cell-title').textContent()).toBe('16K × 2')
  })
})

describe('several runs', () => {
  test('show each run, and the difference of two, by choice', async context => {
    const page = await open(context, 'two.html')
    const before = await cell(page, '8192x1').textContent()
    const choice = page.getByRole('combobox', { name: 'Show' })
    await choice.selectOption({ index: 1 })
    expect(await cell(page, '8192x1').textContent()).not.toBe(before)
    await choice.selectOption({ index: 2 })
    expect(await cell(page, '8192x1').textContent()).toMatch(/^\+25\.0%✓ better/)
  })

  test('lie over one another, each with a stroke of its own, until one is left out', async context => {
    const page = await open(context, 'two.html')
    const strokes = () => stylesOf(page, '#plot-ttft .line > path:first-child', 'strokeDasharray')
    expect(await strokes()).toHaveLength(2)
    await page.getByRole('checkbox').nth(1).uncheck()
    expect(await strokes()).toEqual(['none'])
    expect(await page.locator('#cell .verdict').count()).toBe(1)
  })
})

describe('everywhere', () => {
  test('four runs are no wider than the window', async context => {
    const page = await open(context, 'four.html')
    expect(await page.locator('#cell .verdict').count()).toBe(4)
    expect(await ask<number>(page, 'document.documentElement.scrollWidth')).toBe(1280)
  })

  test('on a phone nothing is wider than the screen', async context => {
    for (const file of ['one.html', 'two.html', 'hostile.html']) {
      const page = await open(context, file, { viewport: { width: 360, height: 740 } })
      expect(await ask<number>(page, 'document.documentElement.scrollWidth')).toBe(360)
    }
  })

  test('in the dark it is dark, and light by choice', async context => {
    const page = await open(context, 'one.html', { colorScheme: 'dark' })
    const brightness = async () =>
      Number(/\d+/.exec((await stylesOf(page, 'body', 'backgroundColor')).join())?.[0])
    expect(await brightness()).toBeLessThan(60)
    await page.getByRole('button', { name: 'Colours: auto' }).click()
    expect(await brightness()).toBeGreaterThan(200)
    await page.getByRole('button', { name: 'Colours: light' }).click()
    expect(await brightness()).toBeLessThan(60)
  })

  test('on paper there are all tables and curves, and no controls', async context => {
    const page = await open(context, 'one.html')
    await page.emulateMedia({ media: 'print' })
    for (const control of ['#page-controls', '#matrix-controls', '.readout'])
      expect(await page.locator(control).first().isVisible()).toBe(false)
    for (const shown of ['#matrix', '#plot-ttft svg', '#measurements table'])
      expect(await page.locator(shown).isVisible()).toBe(true)
  })

  test('without its script it is a page of tables and curves', async context => {
    const page = await open(context, 'one.html', { javaScriptEnabled: false })
    expect(await page.getByRole('table').count()).toBeGreaterThan(5)
    expect(await page.locator('#plot-throughput .line').count()).toBe(9)
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  test('texts of others run nothing and stand there as they are', async context => {
    const page = await open(context, 'hostile.html')
    expect(await page.title()).toContain('</script><img src=x onerror="document.title=\'taken\'">')
    expect(await page.locator('img').count()).toBe(0)
    for (const concurrency of [1, 2, 4, 8, 16, 32, 64]) {
      await cell(page, `0x${concurrency}`).click()
      expect(await page.locator('#cell-title').textContent()).toBe(`0 × ${concurrency}`)
    }
  })

  test('it looks like something: a picture of it is not of one colour', async context => {
    const page = await open(context, 'one.html')
    const heat = await stylesOf(page, '#matrix tbody td:not(.empty)', 'backgroundColor')
    expect(heat).toHaveLength(8)
    const picture = join(folder, 'page.png')
    await page.screenshot({ path: picture })
    // A blank one of this size takes 5 KB.
    expect(readFileSync(picture).length).toBeGreaterThan(50_000)
  })
})
