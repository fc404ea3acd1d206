/** A part of a character's cell, which is 1 × 1: left, top, width, height. */
export type Part = readonly [x: number, y: number, width: number, height: number]

/** Characters that have to meet their neighbours, which those of a font seldom do, as parts of a cell; `null`: others. */
export function partsOf(character: string): readonly Part[] | null {
  const code = character.codePointAt(0) ?? 0
  // Lower blocks by eighths.
  if (code >= 0x2581 && code <= 0x2588) return [[0, 1 - (code - 0x2580) / 8, 1, (code - 0x2580) / 8]]
  if (code > 0x2800 && code <= 0x28ff) return dots(code - 0x2800)
  return fixed[character] ?? null
}

const thin = { width: 0.13, height: 0.065 }
const middle = { x: 0.5 - thin.width / 2, y: 0.5 - thin.height / 2 }
const upright: Part = [middle.x, 0, thin.width, 1]

const fixed: Readonly<Record<string, readonly Part[]>> = {
  '▌': [[0, 0, 0.5, 1]],
  '▐': [[0.5, 0, 0.5, 1]],
  '│': [upright],
  '┤': [upright, [0, middle.y, 0.5, thin.height]],
  '─': [[0, middle.y, 1, thin.height]],
  '━': [[0, 0.5 - thin.height, 1, 2 * thin.height]],
  '╌': [
    [0.1, middle.y, 0.3, thin.height],
    [0.6, middle.y, 0.3, thin.height],
  ],
}

/** Dots of a braille character by the place of their bits: column and row. */
const places = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const

const dot = { width: 0.26, height: 0.13 }

function dots(bits: number): readonly Part[] {
  return places.flatMap(([column, row], bit): readonly Part[] =>
    (bits & (1 << bit)) === 0
      ? []
      : [[(column + 0.5) / 2 - dot.width / 2, (row + 0.5) / 4 - dot.height / 2, dot.width, dot.height]],
  )
}
