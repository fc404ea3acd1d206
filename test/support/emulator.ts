import xterm from '@xterm/headless'

export type Emulator = InstanceType<typeof xterm.Terminal>

export function createEmulator(columns: number, rows: number, convertEol: boolean): Emulator {
  return new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol, scrollback: 2000 })
}

/** The lines in sight, without trailing blanks. */
export function screenLines({ buffer: { active }, rows, cols }: Emulator): readonly string[] {
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true, 0, cols) ?? '',
  )
}

/** All lines of the active buffer, those that scrolled out of sight too. */
export function allLines({ buffer: { active } }: Emulator): readonly string[] {
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
}

export function isAlternate({ buffer }: Emulator): boolean {
  return buffer.active.type === 'alternate'
}
