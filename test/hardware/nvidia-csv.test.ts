import { expect, test } from 'vitest'
import { collectRounds } from '../../src/hardware/nvidia.ts'
import { nvidiaQueries, parseMigInstances, parseNvidiaRow } from '../../src/hardware/nvidia-csv.ts'
import { hardwareText } from './fixture.ts'

const [newest, older, fewest] = nvidiaQueries
const rows = (file: string, query = newest) =>
  hardwareText(file)
    .split('\n')
    .flatMap(line => parseNvidiaRow(line, query.fields) ?? [])

test('a GPU under load tells all of its figures', () => {
  expect(rows('nvidia-h200-590.csv')).toEqual([
    {
      count: 1,
      facts: {
        index: 0,
        name: 'NVIDIA H200',
        memoryMiB: 143_771,
        driver: '590.48.01',
        powerLimitW: 700,
        migInstances: [],
      },
      sample: {
        index: 0,
        utilisation: 1,
        memoryUsedMiB: 32_362,
        powerW: 627.4,
        temperatureC: 52,
        clockMHz: 1980,
        throttle: [],
      },
    },
  ])
})

test('a GPU in MIG mode does not tell its utilisation, which is unknown and not zero', () => {
  expect(rows('nvidia-h200-mig-580.csv')).toMatchObject([
    { sample: { utilisation: null, memoryUsedMiB: 44, powerW: 89.93, clockMHz: 345 } },
  ])
})

test('idle is no reason that holds a clock down, and its utilisation is a measured zero', () => {
  const [row] = rows('nvidia-rtx-2080-465.csv', older)
  expect(row).toMatchObject({
    facts: { name: 'NVIDIA GeForce RTX 2080 SUPER', driver: '465.27', powerLimitW: 250 },
    sample: { utilisation: 0, throttle: [] },
  })
})

test('what holds a clock down is told by its bits, a slowdown whose cause is known only once', () => {
  const sampled = rows('nvidia-two-h100-535.csv', older).map(({ sample }) => [sample.throttle, sample.powerW])
  expect(sampled).toEqual([
    [['power-cap'], 698.2],
    // 0x08 + 0x20 + 0x40
    [['thermal', 'hardware-thermal'], 512.75],
    [[], 699.1],
    [['thermal'], null],
  ])
})

test.each([
  ['0x0000000000000002', ['clock-setting']],
  ['0x0000000000000008', ['hardware-slowdown']],
  ['0x0000000000000014', ['power-cap', 'sync-boost']],
  ['0x0000000000000088', ['power-brake']],
  ['0x0000000000000100', []],
  ['[N/A]', null],
  ['Not Active', null],
])('the reasons %s are %j', (mask, reasons) => {
  const row = parseNvidiaRow(`0, 1, A, 1, 1, 1, 1, 1, 1, 1, 1, ${mask}`, newest.fields)
  expect(row?.sample.throttle).toEqual(reasons)
})

test('the query with the fewest fields leaves the others unknown', () => {
  expect(rows('nvidia-k80-390.csv', fewest)).toEqual([
    {
      count: 1,
      facts: {
        index: 0,
        name: 'Tesla K80',
        memoryMiB: 11_441,
        driver: null,
        powerLimitW: null,
        migInstances: [],
      },
      sample: {
        index: 0,
        utilisation: null,
        memoryUsedMiB: 0,
        powerW: 27.51,
        temperatureC: 35,
        clockMHz: null,
        throttle: null,
      },
    },
  ])
})

test.each(['nvidia-refused.txt', 'nvidia-no-driver.txt'])('the message of %s is no row', file => {
  for (const query of nvidiaQueries) expect(rows(file, query)).toEqual([])
})

test.each([
  '[N/A]',
  '[Not Supported]',
  '[Unknown Error]',
  '[GPU is lost]',
  '[Requested functionality has been deprecated]',
  'N/A',
  'ERR!',
  '',
])('a power of "%s" is unknown', cell => {
  expect(parseNvidiaRow(`0, 1, A, 1, 1, 1, 1, ${cell}`, fewest?.fields ?? [])?.sample.powerW).toBe(null)
})

test('the queries ask from the newest names to the oldest, and only for what is there for the last', () => {
  expect(newest.fields).toContain('clocks_event_reasons.active')
  expect(older?.fields).toContain('clocks_throttle_reasons.active')
  expect(fewest?.fields).toEqual([
    'index',
    'count',
    'name',
    'memory.total',
    'memory.used',
    'utilization.gpu',
    'temperature.gpu',
    'power.draw',
  ])
})

test('MIG instances are listed by the GPU that they are a part of', () => {
  expect([...parseMigInstances(hardwareText('nvidia-h200-mig-580-list.txt'))]).toEqual([[0, ['3g.71gb']]])
  expect([...parseMigInstances(hardwareText('nvidia-mig-list.txt'))]).toEqual([
    [0, []],
    [1, ['3g.40gb', '2g.20gb', '1g.10gb']],
  ])
})

test('rows make a round as soon as all that were announced are there', () => {
  const rounds: number[] = []
  const collect = collectRounds(round => rounds.push(round.length))
  const [first, second] = rows('nvidia-two-h100-535.csv', older)
  if (first === undefined || second === undefined) throw new Error('two rows')
  collect(first)
  expect(rounds).toEqual([])
  collect(second)
  expect(rounds).toEqual([2])
  // One that lost a row is told when the next begins.
  collect(first)
  collect(first)
  expect(rounds).toEqual([2, 1])
})
