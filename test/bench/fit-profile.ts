// Turns a benchmark's result into a profile of the simulated server:
//   npm run fit-profile -- result.json [-o profile.json] [--name NAME] [--base NAME|FILE.json] [--speed N]
// `--base` gives what the result does not tell (limits, page, tokens a step); `--speed` is that of the simulated server measured.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { baseProfile } from '../../src/simulator/fit/base-profile.ts'
import { checkProfile, fitProfile } from '../../src/simulator/fit/fit-profile.ts'
import { median } from '../../src/simulator/fit/measure-profile.ts'
import { atSpeedOne, readMeasuredTable } from '../../src/simulator/fit/measured-table.ts'
import { loadProfile } from '../../src/simulator/profiles.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: 'string', short: 'o' },
    name: { type: 'string' },
    base: { type: 'string' },
    speed: { type: 'string', default: '1' },
  },
})
const [path] = positionals
if (path === undefined) {
  process.stderr.write(
    'usage: npm run fit-profile -- RESULT.json [-o PROFILE.json] [--name NAME] [--base NAME|FILE.json] [--speed N]\n',
  )
  process.exit(2)
}
const table = atSpeedOne(readMeasuredTable(JSON.parse(readFileSync(path, 'utf8'))), Number(values.speed))
const name = values.name ?? values.base ?? basename(path, '.json')
const base = values.base === undefined ? baseProfile(table, name) : { ...loadProfile(values.base), name }
const options = { windowMs: 120_000, seed: 1 }
const profile = fitProfile(table, base, { ...options, rounds: 6 })

const deviations = checkProfile(profile, table, { ...options, seed: 1001 }).map(({ measured, figures }) => {
  const percent = (figures.totalTokensPerSecond / (measured.totalTokensPerSecond ?? Number.NaN) - 1) * 100
  return { cell: `${measured.contextTokens} × ${measured.concurrency}`, percent: Math.abs(percent) }
})
const worst = deviations.toSorted((a, b) => b.percent - a.percent)[0]
process.stderr.write(
  `${deviations.length} cells; total tok/s off by ${median(deviations.map(({ percent }) => percent))?.toFixed(1)} % (median), ` +
    `${worst?.percent.toFixed(1)} % (worst, ${worst?.cell}) in virtual windows of ${options.windowMs / 1000} s\n`,
)
const text = `${JSON.stringify(profile, null, 2)}\n`
if (values.output === undefined) process.stdout.write(text)
else writeFileSync(values.output, text)
