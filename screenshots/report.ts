import { pathToFileURL } from 'node:url'
import { openBrowser } from '../test/support/browser.ts'
import { tokgrid } from '../test/support/process.ts'
import { write } from './picture.ts'

/** The HTML report of a result as a picture; its page is written beside the result. */
export async function drawReport(result: string): Promise<void> {
  const page = `${result}.html`
  const { code, stderr } = await tokgrid(['report', result, '-o', page])
  if (code !== 0) throw new Error(stderr)
  const opened = await openBrowser()
  if (opened.browser === null) throw new Error(opened.why)
  try {
    const sheet = await opened.browser.newPage({
      viewport: { width: 1280, height: 1080 },
      deviceScaleFactor: 1.5,
    })
    await sheet.goto(pathToFileURL(page).href)
    write('report.png', await sheet.screenshot())
  } finally {
    await opened.close()
  }
}
