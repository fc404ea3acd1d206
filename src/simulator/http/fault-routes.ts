import { type Fault, faultText, knownFaults, readFault } from '../faults.ts'
import type { Host } from './host.ts'
import type { Route } from './http-call.ts'
import { sendInvalid, sendJson } from './reply.ts'

/** Which faults are on, and which there are. */
export function showFaults({ faults }: Host): Route {
  return ({ response }) =>
    sendJson(response, 200, { faults: faults.active.map(faultText), known: knownFaults })
}

/** Replaces the faults by those of `{"faults": ["stall:every=2", "crlf"]}`; streams that run keep theirs. */
export function changeFaults(host: Host): Route {
  return call => {
    const { faults: texts } = call.body
    if (!Array.isArray(texts)) return sendInvalid(call.response, 'faults must be a list of strings')
    const faults: Fault[] = []
    for (const text of texts) {
      const fault = readFault(String(text))
      if ('problem' in fault) return sendInvalid(call.response, fault.problem)
      faults.push(fault)
    }
    host.setFaults(faults)
    showFaults(host)(call)
  }
}
