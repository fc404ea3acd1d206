import { type Element, element } from './markup.ts'
import type { ReportRun } from './report-run.ts'

/** The runs with the strokes that their curves have; `isChoice`: to be left out, where a script answers. */
export function runList(runs: readonly ReportRun[], isChoice: boolean): Element {
  return element(
    'ul',
    { id: 'runs' },
    runs.map(({ name, about }, index) => {
      const line = [stroke(index), ' ', element('b', {}, name), ` · ${about}`]
      const box = element('input', { type: 'checkbox', value: index, checked: true })
      return element('li', {}, isChoice ? element('label', {}, box, ' ', line) : line)
    }),
  )
}

function stroke(index: number): Element {
  const attributes = { width: 34, height: 10, viewBox: '0 0 34 10', 'aria-hidden': 'true' }
  return element('svg', { class: `line run-${index % 4}`, ...attributes }, element('path', { d: 'M1 5H33' }))
}
