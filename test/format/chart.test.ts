import { expect, test } from 'vitest'
import { toAscii } from '../../src/format/ascii.ts'
import { axisChart, type Chart, roundAbove } from '../../src/format/chart.ts'
import { textWidth } from '../../src/format/text-width.ts'

const scale = { from: 0, to: 7 }
const draw = (values: Chart['values'], change: Partial<Chart> = {}) =>
  axisChart({ values, width: 6, height: 3, scale, label: String, times: ['0', '4'], ...change })
const courses = (...chart: Parameters<typeof draw>) => draw(...chart).map(({ course }) => course)

test('each value keeps its level for its slice of the width', () => {
  // Two lines are eight rows of dots, four columns eight of them: two for each value, the step in the first.
  expect(courses([0, 0, 7, 7])).toEqual(['  ⡏⠉', '⣀⣀⠇ ', '0  4'])
})

test('a gap is a gap, and nothing is drawn across it', () => {
  expect(courses([7, null, null, 7])).toEqual(['⠉  ⠉', '    ', '0  4'])
})

test('many values in one column span their range, so that no peak is lost', () => {
  const values = Array.from({ length: 800 }, (_, index) => (index === 405 ? 7 : 0))
  expect(courses(values)).toEqual(['  ⡇ ', '⣀⣀⣇⣀', '0  4'])
})

test('a value outside of the scale stands at its end', () => {
  expect(courses([99, 99, -5, -5])).toEqual(['⠉⠉⡆ ', '  ⣇⣀', '0  4'])
})

test('the scale is labelled at its ends, and in the middle where a line is exactly there', () => {
  expect(draw([1], { width: 8, height: 6, scale: { from: 0, to: 10 } }).map(({ axis }) => axis)).toEqual([
    '10┤',
    '  │',
    ' 5┤',
    '  │',
    ' 0┤',
    '   ',
  ])
  expect(draw([1], { height: 5 }).map(({ axis }) => axis)).toEqual(['7┤', ' │', ' │', '0┤', '  '])
})

test('an empty label leaves its place free, and labels of several charts can have one width', () => {
  const label = (value: number) => (value === 7 ? 'all' : '')
  expect(draw([1], { width: 12, label, labelWidth: 5 }).map(({ axis }) => axis)).toEqual([
    '  all┤',
    '     │',
    '      ',
  ])
})

test('times stand at both ends, those between where there is room', () => {
  const times = ['0', '15', '30 s']
  expect(courses([1], { width: 22, times }).at(-1)).toBe('0        15     30 s')
  expect(courses([1], { width: 10, times }).at(-1)).toBe('0   30 s')
})

test('a chart is exactly as large as asked, or nothing where it would tell nothing', () => {
  for (const [width, height] of [
    [40, 8],
    [7, 3],
    [133, 20],
  ] as const) {
    const lines = draw([1, 2, null, 4], { width, height })
    expect(lines).toHaveLength(height)
    for (const { axis, course } of lines) expect(textWidth(axis + course)).toBe(width)
  }
  expect(draw([1], { width: 5 })).toEqual([])
  expect(draw([1], { height: 2 })).toEqual([])
})

test('no values at all leave the frame', () => {
  expect(courses([])).toEqual(['    ', '    ', '0  4'])
})

test.each([
  [0, 1],
  [1, 1],
  [4, 4],
  [3407, 4000],
  [912, 1000],
  [1020, 1200],
  [0.7, 0.8],
  [9.5, 10],
])('the round number above %s is %s', (value, round) => {
  expect(roundAbove(value)).toBeCloseTo(round, 9)
})

test('without a scale it goes from zero to a round number', () => {
  const [first] = axisChart({ values: [2, 7.5], width: 6, height: 4, label: String, times: [] })
  expect(first?.axis).toBe('8┤')
})

test('in ASCII dots become a character at their height', () => {
  expect(toAscii('⠉⠒⠤⣀⢸⠀')).toBe("'-._| ")
})
