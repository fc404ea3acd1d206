import type { EngineView, RankView } from './engine-view.ts'
import type { Labels } from './prometheus-text.ts'

/** The labels of what a scheduler reports. */
export function rankLabels({ dialect, modelName }: EngineView, { dpRank }: RankView): Labels {
  const common = { model_name: modelName, engine_type: 'unified' }
  if (dialect.generation === 0) return common
  return {
    ...common,
    // Under data-parallel attention both ranks count the same.
    tp_rank: String(dpRank ?? 0),
    pp_rank: '0',
    moe_ep_rank: '0',
    ...(dpRank === null ? {} : { dp_rank: String(dpRank) }),
  }
}
