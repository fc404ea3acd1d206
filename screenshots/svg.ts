import type { Emulator } from '../test/support/emulator.ts'
import { partsOf } from './drawn-characters.ts'

/** Colours of a terminal: the first 16 by number, then those of text and background. */
export type Palette = { readonly ansi: readonly string[]; readonly text: string; readonly background: string }

export const darkPalette: Palette = {
  ansi: [
    '#1b1e26',
    '#e06c75',
    '#8cc570',
    '#d7a65f',
    '#61a8e8',
    '#c586d8',
    '#56b6c2',
    '#c8ccd4',
    '#5c6370',
    '#ff7a85',
    '#a5e075',
    '#f0c674',
    '#74b9ff',
    '#de9bf0',
    '#6fd3df',
    '#ffffff',
  ],
  text: '#d4d8e0',
  background: '#14161c',
}

export const lightPalette: Palette = {
  ansi: [
    '#1b1e26',
    '#b3261e',
    '#2e7d32',
    '#9a6700',
    '#1f5fbf',
    '#8e3fa8',
    '#00758a',
    '#e4e6ea',
    '#6b7280',
    '#d13438',
    '#3c9a41',
    '#b58900',
    '#3b82f6',
    '#a855c8',
    '#0e9aa7',
    '#ffffff',
  ],
  text: '#22262e',
  background: '#fbfbf9',
}

const cell = { width: 8.43, height: 17, font: 14, baseline: 13 }
const margin = 14

type Look = {
  readonly text: string
  readonly fill: string
  readonly background: string | null
  readonly isBold: boolean
}

/** What the emulator shows, as an SVG of its own: a shape for each stretch of background, a text for each of one look. */
export function screenToSvg(emulator: Emulator, palette: Palette): string {
  const width = emulator.cols * cell.width + 2 * margin
  const height = emulator.rows * cell.height + 2 * margin
  const rows = Array.from({ length: emulator.rows }, (_, row) =>
    stretches(emulator, row, palette).flatMap(stretch => drawn(stretch, margin + row * cell.height)),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" font-family="DejaVu Sans Mono, monospace" font-size="${cell.font}">`,
    `<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>`,
    ...rows.flat(),
    '</svg>',
  ].join('\n')
}

function drawn({ look, column, columns }: Stretch, top: number): readonly string[] {
  const left = margin + column * cell.width
  const width = columns * cell.width
  const shapes =
    look.background === null
      ? []
      : [`<path fill="${look.background}" ${crisp} d="${rectangle(left, top, width, cell.height)}"/>`]
  if (isDrawn(look.text)) return [...shapes, shape(look, left, top)]
  if (look.text.trim() === '') return shapes
  const weight = look.isBold ? ' font-weight="bold"' : ''
  const place = `x="${left.toFixed(2)}" y="${(top + cell.baseline).toFixed(2)}" textLength="${width.toFixed(2)}"`
  return [
    ...shapes,
    `<text ${place} fill="${look.fill}"${weight} xml:space="preserve">${escapeXml(look.text)}</text>`,
  ]
}

const crisp = 'shape-rendering="crispEdges"'
const solid = /^[▁-█▌▐]+$/

function isDrawn(text: string): boolean {
  return [...text].every(character => partsOf(character) !== null)
}

function shape({ text, fill }: Look, left: number, top: number): string {
  const path = [...text].flatMap((character, index) =>
    (partsOf(character) ?? []).map(([x, y, width, height]) =>
      rectangle(
        left + (index + x) * cell.width,
        top + y * cell.height,
        width * cell.width,
        height * cell.height,
      ),
    ),
  )
  return `<path fill="${fill}"${solid.test(text) ? ` ${crisp}` : ''} d="${path.join('')}"/>`
}

function rectangle(x: number, y: number, width: number, height: number): string {
  const [across, down] = [tidy(width), tidy(height)]
  return `M${tidy(x)},${tidy(y)}h${across}v${down}h-${across}z`
}

function tidy(value: number): string {
  return value.toFixed(2).replace(/\.?0+$/, '')
}

type Stretch = { readonly look: Look; readonly column: number; readonly columns: number }

function stretches({ buffer, cols }: Emulator, row: number, palette: Palette): readonly Stretch[] {
  const line = buffer.active.getLine(buffer.active.baseY + row)
  const found: Stretch[] = []
  for (let column = 0; column < cols; column++) {
    const at = line?.getCell(column)
    if (at === undefined || at.getWidth() === 0) continue
    const plain = at.isFgDefault() ? palette.text : colourOf(at.getFgColor(), at.isFgRGB(), palette)
    const behind = at.isBgDefault() ? null : colourOf(at.getBgColor(), at.isBgRGB(), palette)
    const isInverse = at.isInverse() !== 0
    const look: Look = {
      text: at.getChars() === '' ? ' ' : at.getChars(),
      fill: isInverse ? (behind ?? palette.background) : at.isDim() ? mix(plain, palette.background) : plain,
      background: isInverse ? plain : behind,
      isBold: at.isBold() !== 0,
    }
    const last = found.at(-1)
    if (last !== undefined && sameLook(last.look, look) && isDrawn(last.look.text) === isDrawn(look.text))
      found[found.length - 1] = {
        look: { ...last.look, text: last.look.text + look.text },
        column: last.column,
        columns: last.columns + at.getWidth(),
      }
    else found.push({ look, column, columns: at.getWidth() })
  }
  return found
}

function sameLook(a: Look, b: Look): boolean {
  return a.fill === b.fill && a.background === b.background && a.isBold === b.isBold
}

/** A colour by number: 16 named, a cube of 6 × 6 × 6, 24 greys. */
function colourOf(value: number, isRgb: boolean, { ansi, text }: Palette): string {
  if (isRgb) return hex([value >> 16, (value >> 8) & 255, value & 255])
  if (value < 16) return ansi[value] ?? text
  if (value >= 232) return hex(Array.from({ length: 3 }, () => 8 + (value - 232) * 10))
  const step = (part: number) => (part === 0 ? 0 : 55 + part * 40)
  const index = value - 16
  return hex([step(Math.floor(index / 36)), step(Math.floor(index / 6) % 6), step(index % 6)])
}

function mix(colour: string, background: string): string {
  const parts = (text: string) => [1, 3, 5].map(at => Number.parseInt(text.slice(at, at + 2), 16))
  const behind = parts(background)
  return hex(parts(colour).map((part, index) => Math.round(part * 0.6 + (behind[index] ?? 0) * 0.4)))
}

function hex(parts: readonly number[]): string {
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
