import { expect, test } from 'vitest'
import { cellNotes } from '../../src/report/cell-notes.ts'
import { measurementsOf } from '../../src/report/measurements.ts'
import { noFigures } from '../../src/result/build-result.ts'
import { sampleResult } from '../support/sample-result.ts'

/** Notes of cells of 8K, each with these reasons. */
function notesOf(...reasons: readonly { readonly kind: string; readonly n?: number }[][]) {
  const { decode, ...sample } = sampleResult()
  const [cell] = decode
  if (cell === undefined) throw new Error('the sample has a cell')
  const cells = reasons.map((own, index) => ({ ...cell, concurrency: 2 ** index, reasons: own }))
  return cellNotes(measurementsOf({ ...sample, decode: cells }))
}

test('cells with few requests share one note, whatever their numbers', () => {
  expect(
    notesOf(
      [{ kind: 'few-samples', n: 1 }],
      [{ kind: 'few-samples', n: 2 }],
      [],
      [{ kind: 'few-samples', n: 7 }],
    ),
  ).toEqual([
    {
      cells: ['8K × 1', '8K × 2', '8K × 8'],
      sentence: 'only 1 to 7 requests long enough to tell how requests differ',
    },
  ])
})

test('cells with as many requests tell how many', () => {
  expect(notesOf([{ kind: 'few-samples', n: 2 }], [{ kind: 'few-samples', n: 2 }])).toEqual([
    { cells: ['8K × 1', '8K × 2'], sentence: 'only 2 requests long enough to tell how requests differ' },
  ])
})

test('a cell that was cut short tells what it had', () => {
  const { decode, ...sample } = sampleResult()
  const partial = {
    ...noFigures,
    windowSeconds: 5.387,
    totalTokensPerSecond: {
      mean: 47.89,
      ci95: null,
      batchMeans: { ci95: null, n: 0 },
      requestLevel: { ci95: null, n: 0 },
    },
  }
  const cells = decode.map(cell => ({ ...cell, status: 'not-run' as const, reasons: [], partial }))
  expect(cellNotes(measurementsOf({ ...sample, decode: cells.slice(0, 1) }))).toEqual([
    {
      cells: ['8K × 1'],
      sentence: 'interrupted: 47.9 tok/s in 5.4 s of its window, not to be compared',
    },
  ])
})
