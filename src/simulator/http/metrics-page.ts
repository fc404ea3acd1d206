import type { EngineView, RankView } from './engine-view.ts'
import { gaugeFamilies } from './gauge-families.ts'
import { type Labels, PrometheusText } from './prometheus-text.ts'
import { rankLabels } from './rank-labels.ts'
import { writeRequestCounters } from './request-counters.ts'
import { writeSchedulerCounters } from './scheduler-counters.ts'

/** Process id of the first scheduler, as one sees it in a container. */
const firstPid = 910

/** The page at /metrics in the dialect's names and labels, with gauges as last published and counters as they stand. */
export function metricsPage(
  view: EngineView,
  {
    openMetrics,
    nanGauges,
    realtime,
  }: { readonly openMetrics: boolean; readonly nanGauges: boolean; readonly realtime: boolean },
): string {
  const text = new PrometheusText(openMetrics)
  writeGauges(view, text, value => (nanGauges ? Number.NaN : value))
  writeSchedulerCounters(view, text, realtime)
  writeRequestCounters(view, text)
  return text.toString()
}

function writeGauges(view: EngineView, text: PrometheusText, shown: (value: number) => number): void {
  const { generation } = view.dialect
  const now = view.clock()
  const ranks = namedRanks(view).map(rank => ({
    labels: rankLabels(view, rank),
    pid: String(firstPid + (rank.dpRank ?? 0)),
    source: {
      generation,
      profile: view.engine.profile,
      published: rank.gauges.read(now),
      decodeMeter: rank.scheduler.decodeMeter,
    },
  }))
  for (const { name, help, since, until, perProcess, read } of gaugeFamilies) {
    if (generation < since || generation > until) continue
    const samples = ranks.flatMap(({ labels, pid, source }): (readonly [Labels, number])[] => {
      const value = read(source)
      return value === null ? [] : [[perProcess ? { ...labels, pid } : labels, shown(value)]]
    })
    if (samples.length > 0) text.gauge(`sglang:${name}`, help, samples)
  }
  if (generation === 1) writeCacheConfig(view, text)
}

/** An info gauge: its values are labels. */
function writeCacheConfig(view: EngineView, text: PrometheusText): void {
  const { kvPoolTokens, pageTokens } = view.engine.profile.limits
  const config = { page_size: String(pageTokens), num_pages: String(Math.floor(kvPoolTokens / pageTokens)) }
  text.gauge(
    'sglang:cache_config_info',
    'Information of the KV cache.',
    view.ranks.map(rank => [{ ...rankLabels(view, rank), ...config }, 1]),
  )
}

/** Before 0.4.9 the ranks wrote over one another: the last one is seen. */
function namedRanks({ dialect, ranks }: EngineView): readonly RankView[] {
  return dialect.generation === 0 ? ranks.slice(-1) : ranks
}
