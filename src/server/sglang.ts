import type { ServerLimits } from '../domain/server-facts.ts'
import { type EngineAdapter, emptyReading, type Reading, type Scrape } from './engine-adapter.ts'
import { parseLoads, readLoads } from './sglang-loads.ts'
import { readMetrics, sglangMetricNames } from './sglang-metrics.ts'
import { isServerInfo, sglangReport } from './sglang-report.ts'

export const sglang: EngineAdapter = {
  name: 'sglang',
  abort: '/abort_request',
  metricNames: sglangMetricNames,
  // A series appears with the first token; a server that was never used is taken to have none.
  liveCounters: /^(# (HELP|TYPE) )?sglang[:_]realtime_tokens_total/m,
  recognises: ({ models, serverInfo, metrics }) =>
    isServerInfo(serverInfo) ||
    models.some(({ owned_by }) => owned_by === 'sglang') ||
    metrics.some(({ name }) => sglangMetricNames.test(name)),
  report: sglangReport,
  read,
}

/** The loads tell of now and are preferred; the metrics add what only they know. */
function read({ metrics, loads }: Scrape, limits: ServerLimits): Reading {
  const gauges = metrics === null ? emptyReading : readMetrics(metrics, limits)
  const ranks = parseLoads(loads)
  if (ranks === null) return gauges
  const now = readLoads(ranks)
  return {
    ...gauges,
    running: now.running,
    queued: now.queued ?? gauges.queued,
    fresh: now.queued !== null,
    kvUsedTokens: now.kvUsedTokens ?? gauges.kvUsedTokens,
    kvCapacityTokens: now.kvCapacityTokens ?? gauges.kvCapacityTokens,
    kvCacheUsage: now.kvCacheUsage ?? gauges.kvCacheUsage,
    // Both keep their last value when the server falls idle, and the loads say 0 where metrics are off.
    generationTokensPerSecond:
      now.running === 0 ? null : now.generationTokensPerSecond || gauges.generationTokensPerSecond,
    acceptLength: now.acceptLength ?? gauges.acceptLength,
    ranks: now.ranks ?? gauges.ranks,
  }
}
