import type { Action } from './keys.ts'

/** What only the screen knows. */
export type UiState = { readonly confirming: boolean; readonly help: boolean; readonly figure: number }

export const initialUi: UiState = { confirming: false, help: false, figure: 0 }

export function reduceUi(ui: UiState, action: Action): UiState {
  switch (action) {
    case 'ask-stop':
      return { ...ui, confirming: true }
    case 'confirm':
    case 'cancel':
      return { ...ui, confirming: false }
    case 'toggle-help':
      return { ...ui, help: !ui.help }
    case 'next-figure':
      return { ...ui, figure: ui.figure + 1 }
    case 'skip-cell':
    case 'interrupt':
      return ui
    default:
      return action satisfies never
  }
}
