// Pictures of the real screen: runs the demo in a pseudo-terminal and draws what its emulator shows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { Terminal } from '../test/support/terminal.ts'
import { darkPalette, screenToSvg } from './svg.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const fontFamily = 'DejaVu Sans Mono'
const font = { fontDirs: [join(root, 'node_modules/dejavu-fonts-ttf/ttf')], loadSystemFonts: false }
const zoom = 1.5
/** Most of the grid has figures, and a cell with many streams is being measured. */
const moment = /Now 32K × 16 .*\n\s*measuring .* [1-9]\d* of/
const demoMinutes = 5

const output = mkdtempSync(join(tmpdir(), 'tokgrid-screenshots-'))
const terminal = new Terminal(
  process.execPath,
  [join(root, 'bin/tokgrid.js'), 'demo', '-o', join(output, 'result.json')],
  { columns: 120, rows: 36 },
)
try {
  await terminal.waitFor(({ text }) => moment.test(text), demoMinutes * 60_000)
  for (const [columns, rows] of [
    [120, 36],
    [80, 24],
    [200, 50],
  ] as const) {
    terminal.resize(columns, rows)
    await terminal.quiet(300)
    const svg = screenToSvg(terminal.emulator, darkPalette, fontFamily)
    const picture = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng()
    const file = `grid-${columns}x${rows}.png`
    writeFileSync(new URL(file, import.meta.url), picture)
    process.stdout.write(`screenshots/${file}\n`)
  }
} finally {
  terminal.close()
  rmSync(output, { recursive: true })
}
