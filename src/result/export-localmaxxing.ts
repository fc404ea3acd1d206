import type { ResultCell, RunResult } from './schema.ts'

/**
 * Speed-test payloads for LocalMaxxing, one for each cell with a speed that may be compared. Nothing is sent: they are
 * for the user to look at, to complete (what is not known is `null`) and to send.
 */
export function toLocalMaxxing(result: RunResult): Record<string, unknown>[] {
  return result.decode.filter(isPublishable).map(cell => payload(cell, result))
}

function isPublishable({ status, totalTokensPerSecond }: ResultCell): boolean {
  return status === 'valid' && totalTokensPerSecond !== null
}

function payload(cell: ResultCell, result: RunResult): Record<string, unknown> {
  const { server, prefill, run } = result
  const { engine } = server
  const row = prefill.find(one => one.contextTokens === cell.contextTokens && one.status === 'valid')
  return {
    hfId: huggingFaceId(server.model),
    hardware: hardwareOf(result.hardware),
    engineName: engine.name,
    engineVersion: engine.version,
    quantization: engine.quantization,
    backend: engine.backend,
    // The speed of one stream; that of all streams together stands in the notes.
    tokSOut: cell.perRequestTokensPerSecond?.p50 ?? cell.perStreamTokensPerSecond,
    tokSPrefill: row?.tokensPerSecond ?? null,
    ttftMs: cell.ttftMs?.headline ?? null,
    promptTokens: cell.promptTokens === null ? null : Math.round(cell.promptTokens.mean),
    outputTokens: run.options.maxOutputTokens,
    batchSize: cell.concurrency,
    contextLength: cell.contextTokens,
    engineFlags: { commandSnippet: server.launch.command },
    notes: notesOf(cell, result),
  }
}

/** `owner/name`; a path on the server's disk or a served name is none. */
function huggingFaceId({ id, path }: RunResult['server']['model']): string | null {
  return [path, id].find(name => name !== null && /^[\w.-]+\/[\w.-]+$/.test(name)) ?? null
}

/** Memory of one GPU; `hwClass` is known only when a GPU was seen. */
function hardwareOf({ gpus }: RunResult['hardware']): Record<string, unknown> {
  const first = gpus?.[0]
  if (gpus === null || first === undefined)
    return { hwClass: null, gpuName: null, gpuCount: null, vramGb: null }
  return {
    hwClass: 'DISCRETE_GPU',
    gpuName: first.name,
    gpuCount: gpus.length,
    vramGb: first.memoryMiB === null ? null : Math.round((first.memoryMiB / 1024) * 10) / 10,
  }
}

function notesOf(
  { concurrency, totalTokensPerSecond, windowSeconds, reasons }: ResultCell,
  result: RunResult,
) {
  const { tool, run } = result
  const total = totalTokensPerSecond
  const interval = total?.ci95 === null || total === null ? '' : ` ± ${total.ci95.toFixed(1)} (95 %)`
  const window = windowSeconds === null ? '' : ` over ${windowSeconds.toFixed(1)} s`
  const marks = reasons.map(reason => reason.kind)
  return [
    `${[tool.name, tool.version].filter(Boolean).join(' ')}: ${total?.mean.toFixed(1)} tok/s${interval} in total`,
    `${concurrency} ${concurrency === 1 ? 'stream' : 'streams'}${window}`,
    ...(run.options.prompts === null ? [] : [`${run.options.prompts} prompts`]),
    ...(marks.length === 0 ? [] : [`marked ${marks.join(', ')}`]),
  ].join('; ')
}
