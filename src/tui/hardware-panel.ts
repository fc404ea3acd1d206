import { cleanText } from '../format/clean-text.ts'
import { gauge } from '../format/gauge.ts'
import { pad, textWidth } from '../format/text-width.ts'
import { count, decimal, percent, unknown } from '../format/units.ts'
import { columnsIn, columnWidth, inColumns } from './in-columns.ts'
import type { Area } from './layout.ts'
import { type DeviceView, type HardwareView, together } from './select-hardware.ts'
import { fitHeight, heading, type Line, lineWidth, type Style, span, spread } from './span.ts'
import { throttleWords } from './throttle-words.ts'

/** Lines that show all there is: heading, GPUs, host; one for a host alone, none where nobody looks at the machine. */
export function hardwareHeight(view: HardwareView | null, width: number): number {
  if (view === null) return 0
  return view.gpus.length === 0 ? 1 : 2 + Math.ceil(view.gpus.length / acrossOf(view, width))
}

/** What the machine of the server does: a line for each GPU, the last one for those that have no room, and the host. */
export function hardwareLines(view: HardwareView | null, { width, height }: Area): readonly Line[] {
  if (view === null) return []
  if (height < 3 || view.gpus.length === 0) return fitHeight([brief(view, width)], height)
  const across = acrossOf(view, width)
  const gpus = fitting(view.gpus, (height - 2) * across)
  const tile = columnWidth(width, across)
  const columns = placeColumns([...gpus, view.host], tile)
  const lines = gpus.map(gpu => deviceLine(gpu, columns, tile))
  const kinds = view.kinds.map(({ name, count }) => (count === 1 ? name : `${count}× ${name}`)).join(', ')
  return fitHeight(
    [
      heading('Hardware', cleanText(kinds), badge(view), width),
      ...inColumns(lines, across, tile),
      deviceLine(view.host, columns, tile),
    ],
    height,
  )
}

/** Many GPUs stand in two columns where each has room for what tells the most. */
function acrossOf({ gpus }: HardwareView, width: number): number {
  return gpus.length > 4 ? Math.min(2, columnsIn(width, leastTile)) : 1
}

function fitting(gpus: readonly DeviceView[], room: number): readonly DeviceView[] {
  if (gpus.length <= room) return gpus
  const shown = room - 1
  return [
    ...gpus.slice(0, shown),
    together(`${shown === 0 ? '' : '+'}${gpus.length - shown} GPU`, gpus.slice(shown)),
  ]
}

type Column = {
  /** Kept free at least, so that other figures do not move with every change of this one. */
  readonly least: number
  readonly align: 'left' | 'right'
  readonly text: (device: DeviceView) => string
  readonly style: (device: DeviceView) => Style
}
type PlacedColumn = Column & { readonly width: number }

/** Of a GPU beside another: its gauge and all but clock and notes. */
const leastTile = 54
const labelWidth = 7
const shareWidth = 5
const leastGauge = 6
const mostGauge = 24
const gap = 2

const power: Column = {
  least: 9,
  align: 'right',
  text: ({ powerW, powerLimitW }) => of(count(powerW), count(powerLimitW), 'W'),
  style: ({ throttle }) => (throttle?.includes('power-cap') ? 'warn' : 'plain'),
}
const temperature: Column = {
  least: 5,
  align: 'right',
  text: ({ temperatureC }) => (temperatureC === null ? '' : `${count(temperatureC)} °C`),
  style: ({ throttle }) => (throttle?.some(reason => reason.endsWith('thermal')) ? 'bad' : 'plain'),
}
const memory: Column = {
  least: 12,
  align: 'right',
  text: ({ memoryUsedMiB, memoryMiB }) => of(gibibytes(memoryUsedMiB), gibibytes(memoryMiB), 'GiB'),
  style: () => 'plain',
}
const clock: Column = {
  least: 9,
  align: 'right',
  text: ({ clockMHz }) => (clockMHz === null ? '' : `${count(clockMHz)} MHz`),
  style: ({ throttle }) => (throttle !== null && throttle.length > 0 ? 'warn' : 'plain'),
}
const notes: Column = { least: 0, align: 'left', text: note, style: () => 'warn' }

const inOrder = [power, temperature, memory, clock, notes]
const byImportance = [power, temperature, memory, notes, clock]

/** As many as there is room for beside a gauge, the most telling first. */
function placeColumns(devices: readonly DeviceView[], width: number): readonly PlacedColumn[] {
  let left = width - labelWidth - shareWidth - leastGauge
  const widths = new Map<Column, number>()
  for (const column of byImportance) {
    const longest = Math.max(...devices.map(device => textWidth(column.text(device))))
    const needed = Math.max(column.least, longest) + gap
    if (longest === 0 || needed > left) continue
    widths.set(column, needed)
    left -= needed
  }
  return inOrder.flatMap(column => {
    const placed = widths.get(column)
    return placed === undefined ? [] : [{ ...column, width: placed }]
  })
}

function deviceLine(device: DeviceView, columns: readonly PlacedColumn[], width: number): Line {
  const taken = columns.reduce((total, column) => total + column.width, labelWidth + shareWidth)
  const { full, rest } = gauge(device.utilisation, Math.min(mostGauge, width - taken))
  return [
    span(pad(device.label, labelWidth), 'dim'),
    span(full, 'good'),
    span(rest, 'dim'),
    span(pad(percent(device.utilisation), shareWidth, 'right'), 'strong'),
    ...columns.map(column =>
      span(
        `${' '.repeat(gap)}${pad(column.text(device), column.width - gap, column.align)}`,
        column.style(device),
      ),
    ),
  ]
}

function note({ throttle, migInstances }: DeviceView): string {
  const held = (throttle ?? []).map(reason => throttleWords[reason])
  return [...held, ...(migInstances.length === 0 ? [] : [cleanText(`MIG ${migInstances.join(' ')}`)])].join(
    ', ',
  )
}

function badge({ throttle, staleSeconds }: HardwareView): Line {
  if (staleSeconds !== null) return [span(`STALE ${staleSeconds.toFixed(0)} s`, 'bad')]
  const held = throttle.map(reason => throttleWords[reason]).join(', ')
  return held === '' ? [] : [span(`held down by ${held}`, 'warn')]
}

/** One line of the most telling; where what is doubtful or wrong has no room beside it, the host gives way. */
function brief(view: HardwareView, width: number): Line {
  const { gpus, host } = view
  const all = together('', gpus)
  const times = gpus.length === 1 ? '' : `${gpus.length}× `
  const cpu = `CPU ${percent(host.utilisation)}`
  const parts =
    gpus.length === 0
      ? [cpu, memory.text(host)]
      : [`${times}GPU ${percent(all.utilisation)}`, power.text(all), temperature.text(all), cpu]
  const told = parts.filter(text => text !== '')
  const line = (texts: readonly string[]): Line => [span('Hardware ', 'title'), span(texts.join('  '))]
  const end = badge(view)
  const isFull = lineWidth(line(told)) + lineWidth(end) < width
  return spread(line(isFull ? told : told.slice(0, -1)), end, width)
}

/** `627/700 W`; without the whole only the part; nothing where neither is known. */
function of(part: string, whole: string, unit: string): string {
  if (whole !== unknown) return `${part}/${whole} ${unit}`
  return part === unknown ? '' : `${part} ${unit}`
}

function gibibytes(mebibytes: number | null): string {
  return decimal(mebibytes === null ? null : mebibytes / 1024, 1)
}
