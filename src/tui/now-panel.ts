import { gauge } from '../format/gauge.ts'
import { clock, count, milliseconds, perSecond } from '../format/units.ts'
import type { Area } from './layout.ts'
import type { NowView } from './select-now.ts'
import { type SeriesRow, seriesLines } from './series-rows.ts'
import { fitHeight, heading, type Line, span } from './span.ts'

/** What the run does now and how the streams fare. */
export function nowLines(view: NowView, { width, height }: Area): readonly Line[] {
  if (height < 4) return briefly(view, { width, height })
  const since = view.seconds === null ? [] : [span(clock(view.seconds), 'dim')]
  const title = heading('Now', view.target, since, width)
  const doing: Line = [span(view.doing), ...progress(view, width)]
  if (view.load === null) return fitHeight([title, doing], height)
  const { load, course, ttftMs } = view
  const rows: readonly SeriesRow[] = [
    {
      label: 'tok/s',
      value: perSecond(load.tokensPerSecond),
      values: course?.tokensPerSecond ?? [],
      style: 'good',
    },
    { label: 'TTFT', value: milliseconds(ttftMs), values: course?.ttftMs ?? [], style: 'series' },
    { label: 'ITL', value: milliseconds(load.itlMs), values: course?.itlMs ?? [], style: 'series' },
  ]
  const figures = seriesLines(rows, width, height - 3)
  return fitHeight([title, doing, ...figures, [span(streams(view))]], height)
}

function progress({ window, doing }: NowView, width: number): Line {
  if (window === null) return []
  const { share, passed, total } = window
  const text = `${passed.padStart(total.length)} of ${total} s`
  const { full, rest } = gauge(share, Math.min(40, width - doing.length - text.length - 2))
  return [span(' '), span(full, 'live'), span(rest, 'dim'), span(` ${text}`)]
}

function streams({ load, wanted }: NowView): string {
  if (load === null) return ''
  return `${count(load.active)} of ${count(wanted)} streams active, ${count(load.waiting)} waiting`
}

function briefly(view: NowView, { width, height }: Area): readonly Line[] {
  const name = view.target === '' ? 'Now' : view.target
  const doing: Line = [
    span(`${name} `, 'title'),
    span(view.doing),
    ...progress(view, width - name.length - 1),
  ]
  const { load, ttftMs } = view
  if (load === null) return fitHeight([doing], height)
  const figures = [
    `${perSecond(load.tokensPerSecond)} tok/s`,
    `TTFT ${milliseconds(ttftMs)}`,
    `ITL ${milliseconds(load.itlMs)}`,
    `${count(load.active)}/${count(view.wanted)} active`,
  ]
  return fitHeight([doing, [span(figures.join('  '))]], height)
}
