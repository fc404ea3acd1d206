// Pictures of the real screen: a demo and `watch` beside it in pseudo-terminals, then the report of what the demo measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Terminal } from '../test/support/terminal.ts'
import { writePictures } from './picture.ts'
import { drawReport } from './report.ts'
import { darkPalette, lightPalette, type Palette } from './svg.ts'

const bin = fileURLToPath(new URL('../bin/tokgrid.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tokgrid-screenshots-'))
const result = join(folder, 'result.json')
const demoMinutes = 5

function start(...words: readonly string[]): Terminal {
  return new Terminal(process.execPath, [bin, ...words], { columns: 120, rows: 36 })
}

const demo = start('demo', '--duration', '8s', '-o', result)
const until = (text: RegExp) => demo.waitFor(terminal => text.test(terminal.text), demoMinutes * 60_000)

/** The demo at 120 × 36, or at the size that is named, after these keys. */
async function shoot(name: string, { keys = '', columns = 120, rows = 36 } = {}): Promise<void> {
  demo.type(keys)
  await draw(`${name}-${columns}x${rows}`, demo, { columns, rows })
}

type Size = { readonly columns: number; readonly rows: number }

async function draw(name: string, terminal: Terminal, size: Size, palette: Palette = darkPalette) {
  terminal.resize(size.columns, size.rows)
  await terminal.quiet(400)
  writePictures(name, terminal.emulator, palette)
}

let watch: Terminal | null = null
try {
  await until(/127\.0\.0\.1:\d+/)
  watch = start('watch', `http://${/127\.0\.0\.1:\d+/.exec(demo.text)?.[0]}`)

  // Of 32 streams the server runs 29: it is full.
  await until(/Now 8K × 32 .*\n\s*measuring .* 6 of/)
  await shoot('server-saturated', { keys: '3' })
  await draw('watch-120x36', watch, { columns: 120, rows: 36 })
  demo.type('1')

  // Most of the grid has figures, and a cell with many streams is being measured.
  await until(/Now 32K × 16 .*\n\s*measuring .* 5 of/)
  await shoot('grid')
  writePictures('grid-light-120x36', demo.emulator, lightPalette)
  await shoot('grid', { columns: 200, rows: 50 })
  await shoot('grid', { columns: 80, rows: 24 })

  // The selection follows the run: from 128K × 1 up to 8K × 32.
  await until(/Now 128K × 1 /)
  await shoot('cell', { keys: 'kklllll\r' })
  await shoot('explain', { keys: 'e' })
  demo.type('1\u001b')

  // A finished run leaves the screen at once; paused, it stays.
  await until(/Now 128K × 4 /)
  demo.type('p')
  await until(/ PAUSED /)
  await demo.quiet(2000)
  await shoot('grid-finished')
  demo.type('p')
  await demo.exited
  await drawReport(result)
} finally {
  demo.close()
  watch?.close()
  rmSync(folder, { recursive: true })
}
