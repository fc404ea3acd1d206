import type { Histogram } from '../histogram.ts'

/** Label names and values of one series. */
export type Labels = { readonly [name: string]: string }

/** A histogram as it is written; its counts are those of each bucket alone. */
export type Buckets = Pick<Histogram, 'bounds' | 'counts' | 'sum' | 'count'>

/** Writes metric families as SGLang's Python client does: Prometheus text 0.0.4, or OpenMetrics. */
export class PrometheusText {
  readonly #openMetrics: boolean
  #text = ''

  constructor(openMetrics = false) {
    this.#openMetrics = openMetrics
  }

  gauge(name: string, help: string, samples: readonly (readonly [Labels, number])[]): void {
    this.#family(name, help, 'gauge')
    for (const [labels, value] of samples) this.#sample(name, labels, value)
  }

  /** One family of counters; those at 0 have no series before their first use. */
  counter(name: string, help: string, samples: readonly (readonly [Labels, number])[]): void {
    // OpenMetrics names the family without what its samples end in.
    this.#family(this.#openMetrics ? name.replace(/_total$/, '') : name, help, 'counter')
    for (const [labels, value] of samples) if (value > 0) this.#sample(name, labels, value)
  }

  /** One family of histograms; those without observations have no series. */
  histogram(name: string, help: string, samples: readonly (readonly [Labels, Buckets])[]): void {
    this.#family(name, help, 'histogram')
    for (const [labels, histogram] of samples) if (histogram.count > 0) this.#buckets(name, labels, histogram)
  }

  #buckets(name: string, labels: Labels, { bounds, counts, sum, count }: Buckets): void {
    this.#sample(`${name}_sum`, labels, sum)
    let below = 0
    bounds.forEach((bound, i) => {
      below += counts[i] ?? 0
      this.#sample(`${name}_bucket`, { ...labels, le: floatText(bound) }, below)
    })
    this.#sample(`${name}_bucket`, { ...labels, le: '+Inf' }, count)
    this.#sample(`${name}_count`, labels, count)
  }

  toString(): string {
    return this.#openMetrics ? `${this.#text}# EOF\n` : this.#text
  }

  #family(name: string, help: string, type: string): void {
    this.#text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
  }

  #sample(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([label, text]) =>
          `${label}="${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`,
      )
    this.#text += `${name}{${pairs.join(',')}} ${floatText(value)}\n`
  }
}

/** Python's way: 4 is "4.0", 8128902 is "8.128902e+06". */
function floatText(value: number): string {
  if (Math.abs(value) >= 1e6) return value.toExponential().replace(/e\+(\d)$/, 'e+0$1')
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}
