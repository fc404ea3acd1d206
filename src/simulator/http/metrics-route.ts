import type { ServerResponse } from 'node:http'
import type { MetricsFault } from '../faults.ts'
import type { Host } from './host.ts'
import type { HttpCall, Route } from './http-call.ts'
import { metricsPage } from './metrics-page.ts'
import { sendNotFound, sendText } from './reply.ts'

/** The metrics, in the format that the client asks for, or what the faults make of them. */
export function metricsRoute({ view, faults }: Host): Route {
  return call => {
    const accept = call.headers.accept ?? ''
    const openMetrics = accept.includes('application/openmetrics-text')
    const type = openMetrics
      ? 'application/openmetrics-text; version=1.0.0; charset=utf-8'
      : 'text/plain; version=0.0.4; charset=utf-8'
    const send = () => {
      const nanGauges = faults.get('nan-metrics') !== undefined
      const realtime = faults.get('no-realtime-counters') === undefined
      sendText(call.response, 200, metricsPage(view, { openMetrics, nanGauges, realtime }), type)
    }
    faults.metrics.reduceRight((next, fault) => () => withFault(fault, call, next), send)()
  }
}

function withFault(fault: MetricsFault, { response, path }: HttpCall, next: () => void): void {
  switch (fault.kind) {
    case 'no-metrics':
      sendNotFound(response)
      return
    case 'slow-metrics':
      setTimeout(next, fault.delayMs)
      return
    case 'nan-metrics':
    case 'no-realtime-counters':
      next()
      return
    case 'html-metrics':
      sendText(response, 200, '<!DOCTYPE html>\n<title>Sign in</title>\n', 'text/html; charset=utf-8')
      return
    case 'binary-metrics':
      sendBytes(response)
      return
    case 'redirect-metrics':
      if (path === '/metrics') response.writeHead(307, { location: '/metrics/' }).end()
      else next()
      return
    default:
      fault satisfies never
  }
}

/** Every byte there is, several times. */
function sendBytes(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  response.end(Buffer.from(Array.from({ length: 1024 }, (_, i) => i % 256)))
}
