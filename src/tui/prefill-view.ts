import { type Column, table } from '../format/table.ts'
import { count, milliseconds, perSecond } from '../format/units.ts'
import { factLines } from './fact-lines.ts'
import type { Area } from './layout.ts'
import type { PrefillDetail } from './select-cell.ts'
import { fitHeight, type Line, span } from './span.ts'
import { verdictHeading, verdictLines } from './verdict-lines.ts'

const columns: readonly Column[] = ['sample', 'prompt tokens', 'cached', 'TTFT', 'tok/s'].map(title => ({
  title,
  align: 'right',
}))

/** One prefill row: its figures and each of its samples. */
export function prefillLines(row: PrefillDetail | null, { width, height }: Area): readonly Line[] {
  if (row === null) return fitHeight([[span('no prefill row is chosen', 'dim')]], height)
  const { summary } = row
  return fitHeight(
    [
      verdictHeading(`Prefill ${row.name}`, row, width),
      ...verdictLines(row, width),
      ...(summary === null ? [] : figureLines(row, summary, width)),
    ],
    height,
  )
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
