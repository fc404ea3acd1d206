import { readFileSync } from 'node:fs'
import { parsePrometheusText, type Series } from '../../src/server/prometheus-text.ts'

/** A metrics page from test/fixtures/metrics. */
export function metricsText(name: string): string {
  return readFileSync(new URL(`../fixtures/metrics/${name}.txt`, import.meta.url), 'utf8')
}

/** The page as an adapter gets it: without NaN. */
export function metricsOf(text: string): readonly Series[] {
  return parsePrometheusText(text).filter(({ value }) => !Number.isNaN(value))
}
