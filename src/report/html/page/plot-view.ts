import { drawPlot } from '../draw-plot.ts'
import { element } from '../markup.ts'
import { type PlacedPoint, placePoints, type Size } from '../plot.ts'
import type { PlotFigure } from '../plot-figure.ts'
import { fill, place, toNodes } from './dom.ts'

type Spot = { readonly line: number; readonly index: number }

/** How near the pointer has to come, pixels. */
const reach = 48

/**
 * Fits a plot of the page to its width, and tells its points: to the pointer the nearest one, to the keyboard one after
 * the other. `open` is asked to show a point's cell.
 */
export function mountPlot(figure: PlotFigure, open: (key: string) => void): void {
  const host = place(figure.id)
  const canvas = host.querySelector<HTMLElement>('.canvas')
  if (canvas === null) return
  const { plot } = figure
  const readout = document.createElement('output')
  readout.className = 'readout'
  host.append(readout)
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'group')
  canvas.setAttribute('aria-label', `${plot.title}: arrow keys go from point to point`)

  let points: readonly (readonly PlacedPoint[])[] = []
  let shown: Spot | null = null

  const show = (spot: Spot | null) => {
    shown = spot
    const drawn = canvas.querySelector('svg')
    const found = spot === null ? undefined : points[spot.line]?.[spot.index]
    drawn?.querySelector('.ring')?.remove()
    drawn?.classList.toggle('reading', found !== undefined)
    drawn?.querySelectorAll('g.line').forEach((line, index) => {
      line.classList.toggle('read', index === spot?.line)
    })
    readout.textContent = found?.point.text ?? ''
    if (found !== undefined)
      drawn?.append(
        ...toNodes(element('circle', { class: 'ring', cx: found.left, cy: found.top, r: 7 }), true),
      )
  }
  const draw = () => {
    const size = sizeFor(figure.size, canvas.clientWidth)
    points = placePoints(plot, size)
    fill(canvas, drawPlot(plot, size))
    show(shown)
  }
  const openShown = () => {
    const key = shown === null ? null : (points[shown.line]?.[shown.index]?.point.cell ?? null)
    if (key !== null) open(key)
  }

  let width = 0
  new ResizeObserver(() => {
    if (canvas.clientWidth === width || canvas.clientWidth === 0) return
    width = canvas.clientWidth
    draw()
  }).observe(canvas)
  draw()

  canvas.addEventListener('pointermove', event => {
    const { left, top } = canvas.getBoundingClientRect()
    show(nearest(points, event.clientX - left, event.clientY - top, reach))
  })
  canvas.addEventListener('pointerleave', () => show(null))
  canvas.addEventListener('blur', () => show(null))
  canvas.addEventListener('click', openShown)
  canvas.addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') openShown()
    else if (event.key === 'Escape') show(null)
    else {
      const next = step(points, shown, event.key)
      if (next === undefined) return
      show(next)
    }
    event.preventDefault()
  })
}

function sizeFor({ width, height }: Size, room: number): Size {
  return room === 0 ? { width, height } : { width: room, height: Math.min(height, Math.max(150, room * 0.8)) }
}

function nearest(
  points: readonly (readonly PlacedPoint[])[],
  left: number,
  top: number,
  within: number,
): Spot | null {
  let best: Spot | null = null
  let least = within
  points.forEach((line, number) => {
    line.forEach((point, index) => {
      const distance = Math.hypot(point.left - left, point.top - top)
      if (distance >= least) return
      least = distance
      best = { line: number, index }
    })
  })
  return best
}

/** The point that a key leads to; `undefined`: the key is for someone else. */
function step(
  points: readonly (readonly PlacedPoint[])[],
  from: Spot | null,
  key: string,
): Spot | null | undefined {
  const moves: Readonly<Record<string, readonly [line: number, index: number]>> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  }
  const move = moves[key]
  if (move === undefined) return undefined
  const filled = points.flatMap((line, index) => (line.length > 0 ? index : []))
  const first = filled[0]
  if (first === undefined) return null
  if (from === null) return { line: first, index: 0 }
  const [down, right] = move
  if (down === 0) {
    const last = (points[from.line]?.length ?? 1) - 1
    return { line: from.line, index: Math.min(last, Math.max(0, from.index + right)) }
  }
  const order = filled.indexOf(from.line) + down
  const line = filled[Math.min(filled.length - 1, Math.max(0, order))] ?? from.line
  const x = points[from.line]?.[from.index]?.left ?? 0
  return { line, index: nearestColumn(points[line] ?? [], x) }
}

function nearestColumn(line: readonly PlacedPoint[], left: number): number {
  return line.reduce(
    (best, point, index) =>
      Math.abs(point.left - left) < Math.abs((line[best]?.left ?? 0) - left) ? index : best,
    0,
  )
}
