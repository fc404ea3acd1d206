import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { runProgress } from '../domain/progress.ts'
import type { RunState } from '../domain/run-state.ts'
import { eventLines } from './events-panel.ts'
import { figureAt } from './figures.ts'
import { footerLines, progressLine, questionLine } from './footer.ts'
import { gridLines } from './grid.ts'
import { headerLine } from './header.ts'
import { helpLines } from './help.ts'
import { type Layout, layOut, type Size } from './layout.ts'
import { nowLines } from './now-panel.ts'
import { selectEvents } from './select-events.ts'
import { selectGrid } from './select-grid.ts'
import { selectNow } from './select-now.ts'
import { selectServer } from './select-server.ts'
import { historySeconds, serverLines } from './server-panel.ts'
import { fitLine, type Line } from './span.ts'
import { paint, type Theme } from './theme.ts'
import type { UiState } from './ui-state.ts'

export type ScreenProps = {
  readonly state: RunState
  readonly ui: UiState
  /** ms on the run's clock. */
  readonly now: number
  readonly size: Size
  readonly theme: Theme
}

/** The whole screen, never larger than `size`. */
export function Screen({ state, ui, now, size, theme }: ScreenProps): ReactNode {
  const figure = figureAt(ui.figure)
  const view = selectGrid(state, figure, now)
  const layout = layOut(size, view.rows.length)
  const progress = runProgress(state, now)
  const pane = (lines: readonly Line[], width: number) => <Pane lines={lines} width={width} theme={theme} />
  if (layout.kind === 'line')
    return pane([ui.confirming ? questionLine() : progressLine(progress, layout.width)], layout.width)
  const body = ui.help ? (
    pane(helpLines({ width: layout.width, height: size.rows - 4 }), layout.width)
  ) : (
    <Panels
      layout={layout}
      grid={pane(gridLines(view, figure, layout.grid, layout.cellLines), layout.grid.width)}
      now={pane(nowLines(selectNow(state, now), layout.now), layout.now.width)}
      server={pane(
        serverLines(selectServer(state, now, historySeconds(layout.server)), layout.server),
        layout.server.width,
      )}
      events={pane(eventLines(selectEvents(state), layout.events), layout.events.width)}
    />
  )
  return (
    <Box flexDirection="column">
      {pane([headerLine(state, layout.width)], layout.width)}
      {body}
      {pane(footerLines(progress, ui.confirming, layout.width), layout.width)}
    </Box>
  )
}

type PanelProps = {
  readonly layout: Exclude<Layout, { kind: 'line' }>
  readonly grid: ReactNode
  readonly now: ReactNode
  readonly server: ReactNode
  readonly events: ReactNode
}

function Panels({ layout, grid, now, server, events }: PanelProps): ReactNode {
  if (layout.kind !== 'beside')
    return (
      <>
        {grid}
        <Box columnGap={2} flexDirection={layout.kind === 'compact' ? 'column' : 'row'}>
          {now}
          {server}
        </Box>
        {events}
      </>
    )
  return (
    <Box columnGap={2}>
      <Box flexDirection="column">
        {grid}
        {events}
      </Box>
      <Box flexDirection="column">
        {now}
        {server}
      </Box>
    </Box>
  )
}

/** One text node for each panel: Ink's cost is its nodes. */
function Pane({ lines, width, theme }: { lines: readonly Line[]; width: number; theme: Theme }): ReactNode {
  if (lines.length === 0) return null
  return (
    <Box width={width} height={lines.length} flexShrink={0}>
      <Text wrap="truncate">{lines.map(line => paint(fitLine(line, width), theme)).join('\n')}</Text>
    </Box>
  )
}
