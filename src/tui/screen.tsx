import { Box } from 'ink'
import type { ReactNode } from 'react'
import { isPaused } from '../domain/next-step.ts'
import { runProgress } from '../domain/progress.ts'
import type { RunState } from '../domain/run-state.ts'
import { eventLines } from './events-panel.ts'
import { figureAt } from './figures.ts'
import { footerLines, progressLine, questionLine } from './footer.ts'
import { gridLines } from './grid.ts'
import { hardwareHeight, hardwareLines } from './hardware-panel.ts'
import { headerLine } from './header.ts'
import { type Area, type Layout, layOut, type Size } from './layout.ts'
import { longText } from './long-text.ts'
import { nowLines } from './now-panel.ts'
import { Pane } from './pane.tsx'
import { type LongText, mostScroll, scrolledLines } from './scrolled.ts'
import { selectEvents } from './select-events.ts'
import { selectGrid } from './select-grid.ts'
import { selectHardware } from './select-hardware.ts'
import { selectNow } from './select-now.ts'
import { selectServer } from './select-server.ts'
import { selectedLines } from './selected-lines.ts'
import { axesOf, selectedPlace } from './selection.ts'
import { historySeconds, serverLines } from './server-panel.ts'
import { serverViewLines } from './server-view.ts'
import type { Line } from './span.ts'
import type { Theme } from './theme.ts'
import type { Scrolling, UiState } from './ui-state.ts'

export type ScreenProps = {
  readonly state: RunState
  readonly ui: UiState
  /** ms on the run's clock. */
  readonly now: number
  readonly size: Size
  readonly theme: Theme
  /** The last text of one stream; `null`: not told. */
  readonly output: string | null
  /** What went wrong beside the run; `null`: nothing. */
  readonly trouble: string | null
}

type Panels = Exclude<Layout, { readonly kind: 'line' }>

/** The whole screen, never larger than `size`. */
export function Screen(props: ScreenProps): ReactNode {
  const { state, ui, now, theme, trouble } = props
  const layout = layoutOf(props)
  const { width } = layout
  const footer = {
    progress: runProgress(state, now),
    isPaused: isPaused(state),
    isPauseAsked: state.pauseAsked,
    isConfirming: ui.confirming,
  }
  const pane = (lines: readonly Line[]) => <Pane lines={lines} width={width} theme={theme} />
  if (layout.kind === 'line') return pane([ui.confirming ? questionLine(width) : progressLine(footer, width)])
  return (
    <Box flexDirection="column">
      {pane([headerLine(state, now, trouble, width)])}
      {ui.view === 'grid' && ui.overlay === null ? (
        <GridView {...props} layout={layout} />
      ) : (
        pane(fullLines(props, layout.body))
      )}
      {pane(footerLines(footer, width))}
    </Box>
  )
}

/** How far the text on the screen can be scrolled. */
export function scrollingOf(props: ScreenProps): Scrolling {
  const layout = layoutOf(props)
  const text = layout.kind === 'line' ? null : longTextOf(props, layout.body)
  if (layout.kind === 'line' || text === null) return { page: 0, most: 0 }
  const { height } = layout.body
  return { page: Math.max(1, height - 2), most: mostScroll(text, height) }
}

function layoutOf({ state, now, size }: ScreenProps): Layout {
  const hardware = selectHardware(state, now)
  return layOut(size, {
    gridRows: axesOf(state).contexts.length,
    hardwareLines: width => hardwareHeight(hardware, width),
  })
}

/** A view that fills all between header and footer. */
function fullLines(props: ScreenProps, area: Area): readonly Line[] {
  const text = longTextOf(props, area)
  return text === null
    ? serverViewLines(props.state, props.now, area)
    : scrolledLines(text, props.ui.scroll, area)
}

function longTextOf({ state, ui, now, output }: ScreenProps, area: Area): LongText | null {
  return longText(state, ui, now, output, area)
}

function GridView({ state, ui, now, theme, layout }: ScreenProps & { readonly layout: Panels }): ReactNode {
  const place = selectedPlace(state, ui.selected)
  const figure = figureAt(ui.figure)
  const pane = (lines: readonly Line[], { width }: Area) => <Pane lines={lines} width={width} theme={theme} />
  const grid = pane(
    [
      ...gridLines(selectGrid(state, figure, now, place), figure, layout.grid, layout),
      ...selectedLines(state, place, now, layout.selected),
    ],
    layout.grid,
  )
  const nowPane = pane(nowLines(selectNow(state, now), layout.now), layout.now)
  const server = pane(
    serverLines(selectServer(state, now, historySeconds(layout.server)), layout.server),
    layout.server,
  )
  const hardware = pane(hardwareLines(selectHardware(state, now), layout.hardware), layout.hardware)
  const events = pane(eventLines(selectEvents(state), layout.events), layout.events)
  if (layout.kind !== 'beside')
    return (
      <>
        {grid}
        <Box columnGap={2} flexDirection={layout.kind === 'compact' ? 'column' : 'row'}>
          {nowPane}
          {server}
        </Box>
        {hardware}
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
        {nowPane}
        {server}
        {hardware}
      </Box>
    </Box>
  )
}
