import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

export type OpenBrowser = { readonly browser: Browser; readonly close: () => Promise<void> }

/** Why no browser could be started. */
export type NoBrowser = { readonly browser: null; readonly why: string }

/**
 * A headless Chromium: the one that `CHROME_PATH` names, else the one that comes through npm (Linux on x64) with its own
 * libraries and fonts, unpacked to a folder of its own.
 */
export async function openBrowser(): Promise<OpenBrowser | NoBrowser> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH === undefined && (process.platform !== 'linux' || process.arch !== 'x64'))
    return { browser: null, why: 'npm has no Chromium for this machine: set CHROME_PATH' }
  const folder = mkdtempSync(join(tmpdir(), 'tokgrid-chromium-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const { executablePath, env } =
      CHROME_PATH === undefined
        ? await unpackAll(folder)
        : { executablePath: CHROME_PATH, env: { PATH: process.env.PATH ?? '', HOME: tmpdir() } }
    const browser = await chromium.launch({
      executablePath,
      env,
      args: ['--no-sandbox', '--headless=shell'],
      timeout: 20_000,
    })
    const close = async () => {
      await browser.close()
      remove()
    }
    return { browser, close }
  } catch (error) {
    remove()
    return { browser: null, why: String(error) }
  }
}

async function unpackAll(folder: string) {
  const executablePath = await unpack('chromium.br', folder)
  const libraries = join(await unpack('al2023.tar.br', folder), 'lib')
  const fonts = await unpack('fonts.tar.br', folder)
  // Theirs lack the triangle and the diamond.
  const folders = [fonts, modulePath('dejavu-fonts-ttf/ttf')].map(path => `<dir>${path}</dir>`)
  const families = ['Open Sans', 'DejaVu Sans'].map(name => `<family>${name}</family>`)
  const aliases = ['system-ui', 'sans-serif'].map(
    name => `<alias><family>${name}</family><prefer>${families.join('')}</prefer></alias>`,
  )
  const lines = [...folders, ...aliases, `<cachedir>${folder}/font-cache</cachedir>`]
  writeFileSync(join(folder, 'fonts.conf'), `<fontconfig>${lines.join('\n')}</fontconfig>`)
  return { executablePath, env: { FONTCONFIG_PATH: folder, LD_LIBRARY_PATH: libraries, HOME: folder } }
}

/** The package unpacks to the folder for temporary files, under fixed names. */
async function unpack(name: string, folder: string): Promise<string> {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  try {
    return await inflate(modulePath(`@sparticuz/chromium/bin/${name}`))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

function modulePath(file: string): string {
  return fileURLToPath(new URL(`../../node_modules/${file}`, import.meta.url))
}
