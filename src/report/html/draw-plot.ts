import type { Axis } from './axis.ts'
import { type Element, element, type Markup } from './markup.ts'
import {
  type Box,
  boxOf,
  digitWidth,
  heightOf,
  lineHeight,
  type PlacedPoint,
  type Plot,
  type PlotLine,
  type PlotPoint,
  placer,
  round,
  type Size,
} from './plot.ts'

/** The plot as SVG. */
export function drawPlot(plot: Plot, size: Size): Element {
  const box = boxOf(plot, size)
  const place = placer(plot, box)
  return element(
    'svg',
    {
      viewBox: `0 0 ${size.width} ${size.height}`,
      width: size.width,
      height: size.height,
      role: 'img',
      'aria-label': `${plot.title}. ${plot.about}`,
    },
    yTicks(plot, box),
    xTicks(plot, box),
    element('text', { class: 'axis', x: box.right, y: size.height - 4, 'text-anchor': 'end' }, plot.xTitle),
    plot.lines.map(line =>
      drawLine(
        line,
        line.points.map(point => (point === null ? null : place(point))),
        plot,
        box,
      ),
    ),
    endNames(plot, place),
  )
}

function yTicks({ y }: Plot, box: Box): Markup {
  return y.ticks.map(({ value, text }) => {
    const top = heightOf(y, value, box)
    return [
      element('line', { class: 'rule', x1: box.left, x2: box.right, y1: top, y2: top }),
      element('text', { class: 'tick', x: box.left - 6, y: top + 4, 'text-anchor': 'end' }, text),
    ]
  })
}

/** Texts that would run into the one before them are left out; their ticks stay. */
function xTicks({ x }: Plot, box: Box): Markup {
  let free = Number.NEGATIVE_INFINITY
  return x.ticks.map(({ value, text }) => {
    const left = round(box.left + x.at(value) * (box.right - box.left))
    const half = (text.length * digitWidth) / 2
    const hasRoom = left - half > free
    if (hasRoom) free = left + half + 6
    return [
      element('line', { class: 'stop', x1: left, x2: left, y1: box.bottom, y2: box.bottom + 4 }),
      hasRoom
        ? element('text', { class: 'tick', x: left, y: box.bottom + 16, 'text-anchor': 'middle' }, text)
        : null,
    ]
  })
}

function drawLine(line: PlotLine, places: readonly (PlacedPoint | null)[], { y }: Plot, box: Box): Element {
  const drawn = places.flatMap(place => (place === null ? [] : [place]))
  return element(
    'g',
    { class: `line colour-${line.colour % 9} run-${line.run % 4}` },
    element('path', { d: pathOf(places) }),
    drawn.map(({ point, left }) => spread(point, left, y, box)),
    drawn.map(place => dot(place, line.run, isAlone(places, place))),
  )
}

function pathOf(places: readonly (PlacedPoint | null)[]): string {
  let isOpen = false
  return places
    .map(place => {
      if (place === null) isOpen = false
      if (place === null || isApart(place.point)) return ''
      const step = `${isOpen ? 'L' : 'M'}${place.left} ${place.top}`
      isOpen = true
      return step
    })
    .join('')
}

function isApart({ mark }: PlotPoint): boolean {
  return mark === 'cross' || mark === 'aside'
}

function spread({ y: value, spread: half }: PlotPoint, left: number, y: Axis, box: Box): Markup {
  if (half === null) return null
  const ends = { y1: heightOf(y, Math.max(0, value - half), box), y2: heightOf(y, value + half, box) }
  return element('line', { class: 'spread', x1: left, x2: left, ...ends })
}

/** A point without neighbours has no line that would show it. */
function isAlone(places: readonly (PlacedPoint | null)[], place: PlacedPoint): boolean {
  const index = places.indexOf(place)
  return (places[index - 1] ?? null) === null && (places[index + 1] ?? null) === null
}

function dot({ point: { mark, text }, left, top }: PlacedPoint, run: number, alone: boolean): Markup {
  if (mark === 'none' && !alone) return null
  const shape = mark === 'cross' ? cross : mark === 'none' ? small : (shapes[run % shapes.length] ?? circle)
  return element('path', { class: `dot ${mark}`, d: shape(left, top) }, element('title', {}, text))
}

type Shape = (x: number, y: number) => string

const circle: Shape = (x, y) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z`
const small: Shape = (x, y) => `M${x - 2} ${y}a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z`
const square: Shape = (x, y) => `M${x - 3} ${y - 3}h6v6h-6z`
const diamond: Shape = (x, y) => `M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z`
const triangle: Shape = (x, y) => `M${x} ${y - 4.5}l4.2 7.5h-8.4z`
const cross: Shape = (x, y) => `M${x - 3.5} ${y - 3.5}l7 7M${x - 3.5} ${y + 3.5}l7 -7`
const shapes = [circle, square, diamond, triangle]

/** Names at the lines' ends, where the line does not go; moved down where they would cover one another. */
function endNames({ lines }: Plot, place: (point: PlotPoint) => PlacedPoint): Markup {
  const ends = lines
    .flatMap(({ name, colour, points }) => {
      const joined = points.flatMap(point => (point === null || isApart(point) ? [] : [place(point)]))
      const end = joined.at(-1)
      if (name === '' || end === undefined) return []
      const isLeft = (joined.at(-2)?.left ?? 0) > end.left
      const width = name.length * digitWidth
      return [
        { name, colour, isLeft, from: isLeft ? end.left - 8 - width : end.left + 8, width, top: end.top },
      ]
    })
    .sort((a, b) => a.top - b.top)
  const tops: number[] = []
  return ends.map(({ name, colour, isLeft, from, width, top }, index) => {
    const above = ends
      .slice(0, index)
      .flatMap((other, place) =>
        other.from < from + width && from < other.from + other.width ? (tops[place] ?? 0) + lineHeight : [],
      )
    tops[index] = Math.max(top, ...above)
    return element(
      'text',
      {
        class: `name colour-${colour % 9}`,
        x: isLeft ? from + width : from,
        y: (tops[index] ?? top) + 4,
        'text-anchor': isLeft ? 'end' : 'start',
      },
      name,
    )
  })
}
