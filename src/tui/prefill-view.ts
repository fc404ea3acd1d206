import { type Column, table } from '../format/table.ts'
import { count, milliseconds, perSecond } from '../format/units.ts'
import { factLines } from './fact-lines.ts'
import type { LongText } from './scrolled.ts'
import type { PrefillDetail } from './select-cell.ts'
import { type Line, span } from './span.ts'
import { verdictLines, verdictMark } from './verdict-lines.ts'

const columns: readonly Column[] = ['sample', 'prompt tokens', 'cached', 'TTFT', 'tok/s'].map(title => ({
  title,
  align: 'right',
}))

/** One prefill row: its figures and each of its samples. */
export function prefillText(row: PrefillDetail, width: number): LongText {
  const { summary } = row
  const lines = [...verdictLines(row, width), ...(summary === null ? [] : figureLines(row, summary, width))]
  return { title: `Prefill ${row.name}`, end: verdictMark(row), lines, startsAt: 'start' }
}

function figureLines(
  { netTokensPerSecond, hostTokenizeMs }: PrefillDetail,
  summary: NonNullable<PrefillDetail['summary']>,
  width: number,
): readonly Line[] {
  const { tokensPerSecond, ttftMs, promptTokens, samples } = summary
  const [titles = '', ...rows] = table(
    columns,
    samples.map((sample, index) => [
      String(index + 1),
      count(sample.promptTokens),
      count(sample.cachedTokens),
      milliseconds(sample.ttftMs),
      perSecond(sample.promptTokens === null ? null : (sample.promptTokens / sample.ttftMs) * 1000),
    ]),
  )
  return [
    ...factLines(
      [
        {
          label: 'prompt tok/s',
          text: `${perSecond(tokensPerSecond)}, ${count(promptTokens)} tokens in ${milliseconds(ttftMs)} (medians)`,
          style: 'strong',
        },
        {
          label: 'net tok/s',
          text: `${perSecond(netTokensPerSecond)}, without what a cached prompt of this length takes at one stream`,
        },
        {
          label: 'host',
          text: `${milliseconds(hostTokenizeMs)} of work that grows with the prompt, tokenizing above all`,
        },
      ],
      width,
    ),
    [],
    [span(titles, 'dim')],
    ...rows.map((line): Line => [span(line)]),
  ]
}
