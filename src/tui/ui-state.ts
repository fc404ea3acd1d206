import type { RunState } from '../domain/run-state.ts'
import type { Action } from './keys.ts'
import { neighbour, type Place, selectedPlace } from './selection.ts'

/** What fills the screen between header and footer. */
export type View = 'grid' | 'cell' | 'server' | 'events'
/** What can lie over a view for a while. */
export type Overlay = 'help' | 'explain' | 'output'

/** What only the screen knows. */
export type UiState = {
  readonly view: View
  readonly overlay: Overlay | null
  /** The question of `q` stands. */
  readonly confirming: boolean
  readonly figure: number
  /** Where the operator has moved to; `null`: the selection follows the run. */
  readonly selected: Place | null
  /** Lines scrolled: from the start, of events and output from the newest back. */
  readonly scroll: number
}

export const initialUi: UiState = {
  view: 'grid',
  overlay: null,
  confirming: false,
  figure: 0,
  selected: null,
  scroll: 0,
}

/** Lines that one page is, and how far the text in sight can be scrolled at all. */
export type Scrolling = { readonly page: number; readonly most: number }

/** The screen after a key; what a key asks of the run is done elsewhere. */
export function reduceUi(ui: UiState, action: Action, state: RunState, scrolling: Scrolling): UiState {
  switch (action) {
    case 'left':
    case 'right':
    case 'up':
    case 'down': {
      if (scrolls(ui)) return scrolled(ui, lines[action], scrolling)
      const place = ui.view === 'server' ? null : selectedPlace(state, ui.selected)
      const next = place === null ? null : neighbour(state, place, action)
      // At an edge the selection has not been moved: it goes on following the run.
      return next === place ? ui : { ...ui, selected: next, scroll: 0 }
    }
    case 'page-up':
    case 'page-down':
      return scrolled(ui, action === 'page-up' ? -scrolling.page : scrolling.page, scrolling)
    case 'first':
    case 'last':
      return scrolled(ui, action === 'first' ? -scrolling.most : scrolling.most, scrolling)
    case 'open':
      return ui.view === 'grid' && ui.overlay === null ? at(pinned(ui, state), 'cell') : ui
    case 'back':
      if (ui.overlay !== null) return { ...ui, overlay: null, scroll: 0 }
      return ui.view === 'grid' ? { ...ui, selected: null } : at(ui, 'grid')
    case 'explain':
      return toggled(pinned(ui, state), 'explain')
    case 'output':
    case 'help':
      return toggled(ui, action)
    case 'view-grid':
      return at(ui, 'grid')
    case 'view-cell':
      return at(ui, 'cell')
    case 'view-server':
      return at(ui, 'server')
    case 'view-events':
      return at(ui, 'events')
    case 'next-view':
      return at(ui, views[(views.indexOf(ui.view) + 1) % views.length] ?? 'grid')
    case 'next-figure':
      return { ...ui, figure: ui.figure + 1 }
    case 'previous-figure':
      return { ...ui, figure: ui.figure - 1 }
    case 'ask-stop':
      return { ...ui, confirming: true }
    case 'confirm':
    case 'cancel':
      return { ...ui, confirming: false }
    case 'skip-cell':
    case 'redo-cell':
    case 'pause':
    case 'interrupt':
    case 'suspend':
    case 'repaint':
      return ui
    default:
      return action satisfies never
  }
}

const views: readonly View[] = ['grid', 'cell', 'server', 'events']
const lines = { up: -1, down: 1, left: 0, right: 0 } as const

function scrolls({ view, overlay }: UiState): boolean {
  return overlay === 'help' || overlay === 'output' || (overlay === null && view === 'events')
}

/** Events stand at their end: scrolling up goes back from the newest. */
function scrolled(ui: UiState, down: number, { most }: Scrolling): UiState {
  const further = ui.overlay === null && ui.view === 'events' ? -down : down
  return { ...ui, scroll: Math.min(most, Math.max(0, ui.scroll + further)) }
}

/** What is looked at closely does not move on with the run. */
function pinned(ui: UiState, state: RunState): UiState {
  return { ...ui, selected: selectedPlace(state, ui.selected) }
}

function at(ui: UiState, view: View): UiState {
  return { ...ui, view, overlay: null, scroll: 0 }
}

function toggled(ui: UiState, overlay: Overlay): UiState {
  return { ...ui, overlay: ui.overlay === overlay ? null : overlay, scroll: 0 }
}
