import { expect, test } from 'vitest'
import { cpuUtilisation, hostFacts, parseProcStat } from '../../src/hardware/host.ts'
import { hardwareText } from './fixture.ts'

test('the time of all cores is their first line; waiting for a disk is idle', () => {
  // 485527 + 69240 + 108815 + 0 + 14159 + 498 busy; 1566667 idle, 2263 waiting
  expect(parseProcStat(hardwareText('proc-stat.txt'))).toEqual({ busy: 678_239, all: 2_247_169 })
})

test('guests are in user time already', () => {
  expect(parseProcStat('cpu  10 0 0 90 0 0 0 0 10 0\n')).toEqual({ busy: 10, all: 100 })
})

test.each(['', 'intr 1 2 3', 'cpu  a b c d', 'cpu  1 2'])('%j tells no time', text => {
  expect(parseProcStat(text)).toBe(null)
})

test('utilisation is the busy share of the time between two readings', () => {
  expect(cpuUtilisation({ busy: 100, all: 1000 }, { busy: 150, all: 1200 })).toBe(0.25)
  expect(cpuUtilisation({ busy: 100, all: 1000 }, { busy: 100, all: 1200 })).toBe(0)
  // the busy count of a virtual machine can fall a little
  expect(cpuUtilisation({ busy: 100, all: 1000 }, { busy: 99, all: 1200 })).toBe(0)
})

test('without two different readings utilisation is unknown', () => {
  expect(cpuUtilisation(null, { busy: 1, all: 2 })).toBe(null)
  expect(cpuUtilisation({ busy: 1, all: 2 }, { busy: 1, all: 2 })).toBe(null)
})

test('a host has cores and memory', () => {
  const { cores, memoryMiB } = hostFacts()
  expect(cores).toBeGreaterThan(0)
  expect(memoryMiB).toBeGreaterThan(100)
})
