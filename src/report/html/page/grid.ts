/** Makes the matrix a grid: one stop of Tab, arrows between cells, Enter, space or a click opens one. */
export function makeGrid(
  table: HTMLTableElement,
  selected: string | null,
  open: (key: string) => void,
): void {
  const rows = [...table.tBodies].flatMap(body => [...body.rows].map(row => [...row.querySelectorAll('td')]))
  const cells = rows.flat()
  table.setAttribute('role', 'grid')
  const stop = (cell: HTMLElement | undefined) => {
    for (const other of cells) other.tabIndex = other === cell ? 0 : -1
  }
  const choose = (cell: HTMLElement) => {
    const key = cell.dataset.cell
    if (key === undefined) return
    select(table, key)
    open(key)
  }
  select(table, selected)
  stop(cells.find(cell => cell.dataset.cell === selected) ?? cells[0])
  table.addEventListener('click', ({ target }) => {
    const cell = target instanceof Element ? target.closest('td') : null
    if (cell === null || !cells.includes(cell)) return
    stop(cell)
    cell.focus()
    choose(cell)
  })
  table.addEventListener('keydown', event => {
    const cell = cells.find(one => one === event.target)
    if (cell === undefined || event.altKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') choose(cell)
    else {
      const next = neighbour(rows, cell, event)
      if (next === undefined) return
      stop(next)
      next.focus()
    }
    event.preventDefault()
  })
}

/** Marks the open cell. */
export function select(table: HTMLTableElement, key: string | null): void {
  for (const cell of table.querySelectorAll<HTMLElement>('tbody td'))
    cell.setAttribute('aria-selected', String(key !== null && cell.dataset.cell === key))
}

/** Where a key leads from a cell; `undefined`: it is no key of the grid. */
function neighbour<Cell>(
  rows: readonly (readonly Cell[])[],
  from: Cell,
  { key, ctrlKey }: KeyboardEvent,
): Cell | undefined {
  const row = rows.findIndex(cells => cells.includes(from))
  const column = rows[row]?.indexOf(from) ?? 0
  const last = (rows[row]?.length ?? 0) - 1
  switch (key) {
    case 'ArrowUp':
      return rows[Math.max(0, row - 1)]?.[column]
    case 'ArrowDown':
      return rows[Math.min(rows.length - 1, row + 1)]?.[column]
    case 'ArrowLeft':
      return rows[row]?.[Math.max(0, column - 1)]
    case 'ArrowRight':
      return rows[row]?.[Math.min(last, column + 1)]
    case 'Home':
      return rows[ctrlKey ? 0 : row]?.[0]
    case 'End':
      return rows[ctrlKey ? rows.length - 1 : row]?.[last]
    default:
      return undefined
  }
}
