import { cleanText } from '../format/clean-text.ts'
import { count, decimal, percent, perSecond, tokens } from '../format/units.ts'
import { selectServer } from '../tui/select-server.ts'
import type { WatchedServer } from '../tui/watch-view.ts'

/** What is known of a server at one moment, in the names and units of the result file; `null`: unknown. */
export type Snapshot = ReturnType<typeof snapshot>

export function snapshot({ url, state, problem }: WatchedServer, now: number, time: string) {
  const { server } = state
  const selected = selectServer(state, now, 0)
  const view = problem === null && selected.kind === 'sampled' ? selected : null
  return {
    url,
    time,
    reachable: problem === null,
    message: problem ?? view?.missed ?? null,
    engine: server === null ? null : { name: server.engine.name, version: server.engine.version },
    model: server?.model.id ?? null,
    running: view?.running.value ?? null,
    queued: view?.queued.value ?? null,
    kvCacheUsage: view?.kvUsage.value ?? null,
    kvUsedTokens: view?.kvUsedTokens ?? null,
    kvCapacityTokens: view?.kvCapacityTokens ?? null,
    stateSlotUsage: view?.stateSlotUsage ?? null,
    tokensPerSecond: view?.tokensPerSecond.value ?? null,
    prefillTokensPerSecond: view?.prefillTokensPerSecond.value ?? null,
    cacheHitShare: view?.cacheHitShare ?? null,
    acceptLength: view?.acceptLength ?? null,
    retractions: view?.retractions ?? null,
    restarted: view === null ? null : view.restartedSeconds !== null,
    ranks: view?.ranks ?? [],
  }
}

/** One line for a log. */
export function snapshotLine(shot: Snapshot): string {
  const start = `${shot.time.slice(11, 19)} ${shot.url}`
  if (!shot.reachable) return cleanText(`${start} ${shot.message}`)
  return cleanText(
    [
      start,
      ...(shot.restarted ? ['RESTARTED'] : []),
      `running ${count(shot.running)}`,
      `queued ${count(shot.queued)}`,
      `KV ${percent(shot.kvCacheUsage)}`,
      `generated ${perSecond(shot.tokensPerSecond)} tok/s`,
      `prompt ${perSecond(shot.prefillTokensPerSecond)} tok/s`,
      ...(shot.message === null ? [] : [`(no answer from ${shot.message})`]),
    ].join('  '),
  )
}

/** A few lines for a person; ends with a newline. */
export function snapshotText(shot: Snapshot): string {
  const engine =
    shot.engine === null ? '' : `${shot.model} on ${shot.engine.name} ${shot.engine.version ?? ''}`
  const facts: readonly (readonly [label: string, text: string])[] = shot.reachable
    ? [
        ['running', count(shot.running)],
        ['queued', count(shot.queued)],
        [
          'KV cache',
          `${percent(shot.kvCacheUsage)}, ${tokens(shot.kvUsedTokens)} of ${tokens(shot.kvCapacityTokens)}`,
        ],
        ...(shot.stateSlotUsage === null ? [] : [['state slots', percent(shot.stateSlotUsage)] as const]),
        ['generated', `${perSecond(shot.tokensPerSecond)} tok/s`],
        ['prompt', `${perSecond(shot.prefillTokensPerSecond)} tok/s`],
        ['accepted', decimal(shot.acceptLength, 2)],
        ...shot.ranks.map(
          ({ name, running, queued, kvUsedTokens, kvCapacityTokens }) =>
            [
              `rank ${name}`,
              `running ${count(running)}, queued ${count(queued)}, KV ${tokens(kvUsedTokens)} of ${tokens(kvCapacityTokens)}`,
            ] as const,
        ),
        ...(shot.message === null ? [] : [['no answer', shot.message] as const]),
      ]
    : [['no answer', shot.message ?? '']]
  return [
    cleanText(`${shot.url}  ${engine}`),
    ...facts.map(([label, text]) => `  ${cleanText(label).padEnd(11)}  ${cleanText(text)}`),
    '',
  ].join('\n')
}
