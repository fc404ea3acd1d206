// A picture of the HTML report: of the result that is named, else of a demo.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openBrowser } from '../test/support/browser.ts'
import { tokgrid } from '../test/support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokgrid-screenshots-'))
const [, , named] = process.argv
const result = named ?? join(folder, 'result.json')
const page = join(folder, 'report.html')
try {
  if (named === undefined) await tokgrid(['demo', '--headless', '-o', result])
  const { code, stderr } = await tokgrid(['report', result, '-o', page])
  if (code !== 0) throw new Error(stderr)
  const opened = await openBrowser()
  if (opened.browser === null) throw new Error(opened.why)
  const sheet = await opened.browser.newPage({
    viewport: { width: 1280, height: 1120 },
    deviceScaleFactor: 1.5,
  })
  await sheet.goto(pathToFileURL(page).href)
  await sheet.screenshot({ path: fileURLToPath(new URL('report.png', import.meta.url)) })
  await opened.close()
  process.stdout.write('screenshots/report.png\n')
} finally {
  rmSync(folder, { recursive: true })
}
