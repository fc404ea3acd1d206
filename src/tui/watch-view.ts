import type { RunState } from '../domain/run-state.ts'
import { cleanText } from '../format/clean-text.ts'
import { amount } from '../format/units.ts'
import { beside, columnsIn, columnWidth } from './in-columns.ts'
import type { Area } from './layout.ts'
import { type ServerTitle, serverTitle } from './server-panel.ts'
import { serverViewLines } from './server-view.ts'
import { fitHeight, fitLine, type Line, span } from './span.ts'

/** A server on the screen of `watch`. */
export type WatchedServer = {
  readonly url: string
  /** Of its facts and samples only. */
  readonly state: RunState
  /** Why it cannot be seen at the moment; `null`: it answers. */
  readonly problem: string | null
}

/** Lines of a server of which there is only something to say, with a free one beneath. */
const quietHeight = 3
/** A column in which a server's figures can be read. */
const leastColumn = 58

/** All servers, beside one another as far as they have room, the rest beneath; says how many have none. */
export function watchLines(servers: readonly WatchedServer[], now: number, area: Area): readonly Line[] {
  const across = Math.max(1, Math.min(servers.length, columnsIn(area.width, leastColumn)))
  const rows = Math.ceil(servers.length / across)
  const shownRows = Math.min(rows, area.height)
  const width = columnWidth(area.width, across)
  const shown = servers.slice(0, shownRows * across)
  const inRows = Array.from({ length: shownRows }, (_, row) => shown.slice(row * across, (row + 1) * across))
  const heights = rowHeights(inRows, area.height)
  const lines = inRows.flatMap((row, index) => {
    const height = heights[index] ?? 0
    const blocks = row.map(server => serverBlock(server, now, { width, height }))
    return beside(blocks, height, width)
  })
  const hidden = servers.length - shown.length
  return fitHeight(
    hidden === 0
      ? lines
      : [
          ...lines.slice(0, -1),
          fitLine([span(`… ${amount(hidden + across, 'server')} without room`, 'warn')], area.width),
        ],
    area.height,
  )
}

/** Those that tell figures share what the others leave. */
function rowHeights(rows: readonly (readonly WatchedServer[])[], height: number): readonly number[] {
  const quiet = rows.map(row => row.every(({ state }) => state.samples.length === 0))
  const lines = Math.min(quietHeight, Math.floor(height / Math.max(1, rows.length)))
  const told = quiet.filter(isQuiet => !isQuiet).length
  const share = Math.floor((height - lines * (rows.length - told)) / Math.max(1, told))
  return quiet.map(isQuiet => (isQuiet ? lines : share))
}

/** A server that is lost says so in place of its gauge, above what was last seen of it. */
function serverBlock({ url, state, problem }: WatchedServer, now: number, area: Area): readonly Line[] {
  const title = titleOf(url, state)
  if (problem === null) return serverViewLines(state, now, area, title)
  // The title says where.
  const words = span(`${cleanText(problem.replace(` ${url}`, ''))}; looking for it again`, 'bad')
  if (area.height < 4) return fitHeight([[span(`${title.name} `, 'title'), words]], area.height)
  return state.samples.length === 0
    ? fitHeight([serverTitle(title, [], area.width), [words]], area.height)
    : serverViewLines(state, now, area, title).with(1, [words])
}

function titleOf(url: string, { server }: RunState): ServerTitle {
  const name = cleanText(url.replace(/^https?:\/\//, ''))
  if (server === null) return { name, about: '', tellsRestart: true }
  const { engine, model } = server
  const about = cleanText(`${model.id} on ${engine.name} ${engine.version ?? ''}`)
  return { name, about, tellsRestart: true }
}
