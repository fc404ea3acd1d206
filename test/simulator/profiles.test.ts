import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coldTtftMs, measureCell, median } from '../../src/simulator/fit/measure-profile.ts'
import { effectiveMaxRunning } from '../../src/simulator/profile.ts'
import { parseProfile } from '../../src/simulator/profile-json.ts'
import { deepseekV4Flash2xH200 as deepseek } from '../../src/simulator/profiles/deepseek-v4-flash-2xh200.ts'
import { fast } from '../../src/simulator/profiles/fast.ts'
import { qwen35a3bH200 as qwen } from '../../src/simulator/profiles/qwen3.5-35b-a3b-h200.ts'
import { loadProfile, profiles } from '../../src/simulator/profiles.ts'

// The published tables. Prefill: context in K, cold TTFT in ms. Cells: context in K, streams, total tok/s, tok/s of the median request,
// TTFT in ms.
const qwenTable = {
  prefill: [
    [8, 290],
    [16, 497],
    [32, 1110],
    [64, 2806],
    [128, 8143],
    [251, 25174],
    [256, 26011],
  ],
  cells: [
    [8, 1, 358.4, 363, 94],
    [8, 2, 539.5, 301.7, 98],
    [8, 4, 905, 228.7, 114],
    [8, 8, 1464.6, 188, 159],
    [8, 16, 2057, 133.7, 355],
    [8, 32, 2945.8, 102.3, 1026],
    [16, 1, 355.1, 360.9, 115],
    [16, 2, 514.3, 272.1, 122],
    [16, 4, 897.9, 221.2, 172],
    [16, 8, 1412.2, 179.9, 248],
    [16, 16, 1933, 123.8, 678],
    [16, 32, 2716.8, 98, 1359],
    [32, 1, 350.3, 364, 167],
    [32, 2, 430, 228.8, 260],
    [32, 4, 891.2, 223.6, 315],
    [32, 8, 1367, 173.4, 538],
    [32, 16, 1798.4, 113.9, 1690],
    [64, 1, 350.9, 360.7, 303],
    [64, 2, 505.4, 265.8, 316],
    [64, 4, 778.1, 200.8, 740],
    [64, 8, 1188.2, 158.4, 1288],
    [128, 1, 305.2, 318.4, 572],
    [128, 2, 347.4, 198.5, 774],
    [128, 4, 691.1, 179.3, 1221],
    [251, 1, 259.4, 280.2, 1006],
    [251, 2, 372.2, 191.3, 1966],
  ],
}

const deepseekTable = {
  prefill: [
    [8, 803],
    [16, 1096],
    [32, 2153],
    [64, 4382],
    [128, 9342],
    [256, 21422],
    [512, 54018],
    [1019, 151709],
    [1024, 154185],
  ],
  cells: [
    [8, 1, 228.4, 230.1, 108],
    [8, 2, 628.5, 340.5, 133],
    [8, 4, 681.5, 166.2, 176],
    [8, 8, 1108.6, 120.2, 249],
    [8, 16, 1878.4, 101.6, 263],
    [8, 32, 2544.2, 78.9, 842],
    [8, 64, 3714.5, 50.4, 726],
    [8, 128, 4695.4, 33, 1317],
    [16, 1, 301.6, 256, 135],
    [16, 2, 492.3, 216.3, 160],
    [16, 4, 735.5, 175, 195],
    [16, 8, 1175.5, 134.5, 185],
    [16, 16, 1570.9, 89, 392],
    [16, 32, 2320.2, 62.2, 755],
    [16, 64, 3589, 49.9, 1757],
    [16, 128, 4348.2, 30.5, 2533],
    [32, 1, 338.1, 386.6, 158],
    [32, 2, 524.7, 221.2, 185],
    [32, 4, 691.6, 157.2, 216],
    [32, 8, 1055.8, 116.8, 434],
    [32, 16, 1625.8, 87.2, 765],
    [32, 32, 2264.2, 68.4, 1463],
    [32, 64, 3505, 50.1, 2873],
    [64, 1, 245.1, 244.9, 209],
    [64, 2, 530, 301.8, 245],
    [64, 4, 643.8, 155.9, 259],
    [64, 8, 1017.5, 122, 771],
    [64, 16, 1765.8, 99.2, 1583],
    [64, 32, 2306, 68.6, 3091],
    [128, 1, 272, 232.1, 307],
    [128, 2, 383.8, 190.9, 510],
    [128, 4, 761.4, 226, 696],
    [128, 8, 939, 111, 1616],
    [128, 16, 1672.9, 88.5, 3146],
    [256, 1, 235.7, 238.3, 531],
    [256, 2, 417.6, 189.5, 696],
    [256, 4, 612.5, 158.4, 1071],
    [256, 8, 1057.8, 130.9, 3049],
    [512, 1, 218.6, 224.5, 1026],
    [512, 2, 438.8, 239.8, 1310],
    [512, 4, 513.3, 137.9, 3154],
    [1019, 1, 185.4, 201.5, 2056],
    [1019, 2, 353.9, 183.3, 2699],
  ],
}

const tables = [
  { profile: qwen, table: qwenTable },
  { profile: deepseek, table: deepseekTable },
]

test('every profile can be told from the others, and hides no page of its pool', () => {
  expect(new Set(profiles.map(({ name }) => name)).size).toBe(profiles.length)
  for (const { limits } of profiles) expect(limits.kvPoolTokens % limits.pageTokens).toBe(0)
})

test.each(tables)(
  '$profile.name: every prefill row has the published TTFT, within 2 %',
  ({ profile, table }) => {
    for (const [contextK = 0, ttftMs = 0] of table.prefill) {
      const deviation = coldTtftMs(profile, contextK * 1024) / ttftMs - 1
      expect([contextK, Math.abs(deviation) < 0.02]).toEqual([contextK, true])
    }
  },
)

test.each(tables)(
  '$profile.name: measured for a minute, every cell has the published rate',
  ({ profile, table }) => {
    const requestDeviations: number[] = []
    for (const [contextK = 0, concurrency = 0, total = 0, perRequest = 0, ttftMs = 0] of table.cells) {
      const figures = measureCell(profile, {
        contextTokens: contextK * 1024,
        concurrency,
        maxOutputTokens: 4096,
        windowMs: 60_000,
        seed: 11,
      })
      const cell = `${contextK}K × ${concurrency}`
      expect([cell, Math.abs(figures.totalTokensPerSecond / total - 1) < 0.03]).toEqual([cell, true])
      requestDeviations.push(Math.abs((figures.perRequestTokensPerSecond ?? 0) / perRequest - 1))
      if (concurrency === 1)
        expect([cell, Math.abs((figures.launchTtftMs ?? 0) / ttftMs - 1) < 0.25]).toEqual([cell, true])
    }
    expect(median(requestDeviations)).toBeLessThan(0.08)
  },
)

test('Qwen on H200 says that 32 requests can run, and runs 29', () => {
  expect(qwen.limits.maxRunningRequests).toBe(32)
  expect(effectiveMaxRunning(qwen.limits)).toBe(29)
})

// What the tables say of the pools: the largest cell that ran and the smallest that did not, as streams × (context + output).
test.each([
  { profile: qwen, ran: 32 * (16 * 1024 + 4096), notRun: 4 * (251 * 1024 + 4096) },
  { profile: deepseek, ran: 128 * (16 * 1024 + 4096), notRun: 4 * (1019 * 1024 + 4096) },
])(
  '$profile.name: the pool holds the largest cell that ran, and none that did not',
  ({ profile, ran, notRun }) => {
    const { kvPoolTokens, pageTokens } = profile.limits
    const streams = ran / (16 * 1024 + 4096)
    const draftTokens = profile.speculative?.draftTokens ?? 0
    // In whole pages, with room for a draft and a page for each stream.
    expect(kvPoolTokens).toBeGreaterThan(ran + streams * (draftTokens + 2 * pageTokens))
    expect(kvPoolTokens).toBeLessThan(notRun)
  },
)

test.each(profiles)('$name is the same after a way through JSON', profile => {
  expect(parseProfile(JSON.parse(JSON.stringify(profile)))).toEqual(profile)
})

test('a profile is found by its name, or read from a file', () => {
  expect(loadProfile('fast')).toBe(fast)
  const path = join(tmpdir(), `profile-${process.pid}.json`)
  writeFileSync(path, JSON.stringify({ ...fast, name: 'mine' }))
  expect(loadProfile(path)).toEqual({ ...fast, name: 'mine' })
})

test('an unknown name or an unusable file is refused with what would do', () => {
  expect(() => loadProfile('fats')).toThrow(/unknown profile "fats"; there are .*fast/)
  expect(() => loadProfile('/nowhere/profile.json')).toThrow(
    /^\/nowhere\/profile.json is not a profile: ENOENT/,
  )
})

test.each([
  [{ name: undefined }, 'name must be a text, but is nothing'],
  [
    { limits: { ...fast.limits, pageTokens: '64' } },
    'limits.pageTokens must be a number of at least 1, but is "64"',
  ],
  [
    { limits: { ...fast.limits, kvPoolTokens: 100 } },
    'limits.kvPoolTokens must be a multiple of limits.pageTokens',
  ],
  [
    { launch: { ...fast.launch, loadBalance: 'best' } },
    'launch.loadBalance must be "round-robin" or "least-loaded"',
  ],
  [{ decode: { ...fast.decode, fixedMs: 0 } }, 'a step would take no time'],
  [
    { speculative: { algorithm: 'X', draftTokens: 4, acceptLength: 5, residual: null, lag: 0 } },
    'speculative.acceptLength must be at most speculative.draftTokens',
  ],
  [
    {
      speculative: {
        algorithm: 'X',
        draftTokens: 4,
        acceptLength: 2,
        residual: { rows: [1, 2], columns: [1], values: [[1]] },
        lag: 0,
      },
    },
    'speculative.residual.values must have a line for each of the 2 rows',
  ],
  [
    { prefill: { ...fast.prefill, residual: { tokens: [2, 1], factors: [1, 1] } } },
    'must be a list of ascending',
  ],
])('a wrong field is named: %o', (changes, message) => {
  expect(() => parseProfile({ ...fast, ...changes })).toThrow(message)
})
