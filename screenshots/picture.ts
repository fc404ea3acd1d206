import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import type { Emulator } from '../test/support/emulator.ts'
import { type Palette, screenToSvg } from './svg.ts'

const fonts = fileURLToPath(new URL('../node_modules/dejavu-fonts-ttf/ttf', import.meta.url))
const zoom = 1.5

/** Writes what the emulator shows as `name`.svg and `name`.png beside this file. */
export function writePictures(name: string, emulator: Emulator, palette: Palette): void {
  const svg = screenToSvg(emulator, palette)
  const font = { fontDirs: [fonts], loadSystemFonts: false }
  write(`${name}.svg`, svg)
  write(`${name}.png`, new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng())
}

/** Writes a picture beside this file and tells its size. */
export function write(file: string, picture: string | Uint8Array): void {
  writeFileSync(new URL(file, import.meta.url), picture)
  process.stdout.write(`screenshots/${file}  ${Math.ceil(Buffer.byteLength(picture) / 1024)} KB\n`)
}
