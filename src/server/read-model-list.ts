import { TokgridError } from '../domain/failure.ts'
import { describeHttpFailure, type HttpAnswer, type HttpFailure, jsonOf } from './http-client.ts'
import { type ModelCard, modelList } from './model-list.ts'

/** The models in an answer of /v1/models. Throws TokgridError that says why there are none and what to do. */
export function readModelList(answer: HttpAnswer, url: string, hasKey: boolean): readonly ModelCard[] {
  if (answer.kind !== 'ok') throw unreachable(answer, url, hasKey)
  const { data } = modelList.safeParse(jsonOf(answer))
  if (data !== undefined) return data.data
  throw new TokgridError(
    'unreachable',
    `${url}/v1/models answers with ${kindOf(answer.body)} instead of a list of models`,
    'check the port and the path of the url',
  )
}

function kindOf(body: string): string {
  if (body.trimStart().startsWith('<')) return 'a web page'
  // The first byte of gzip.
  return body.startsWith('\u001f') ? 'compressed data, which was not asked for,' : 'something else'
}

function unreachable(failure: HttpFailure, url: string, hasKey: boolean): TokgridError {
  if (failure.kind === 'status') return refused(failure.status, url, hasKey)
  return new TokgridError(
    'unreachable',
    `cannot reach ${url}: ${describeHttpFailure(failure)}`,
    failure.kind === 'connect' ? connectHint(failure.code) : 'check that the server is up and not stuck',
  )
}

function refused(status: number, url: string, hasKey: boolean): TokgridError {
  if (status === 401 || status === 403)
    return hasKey
      ? new TokgridError('unreachable', `the server refused the API key (HTTP ${status})`, 'check --api-key')
      : new TokgridError(
          'unreachable',
          `the server needs an API key (HTTP ${status})`,
          'give --api-key or OPENAI_API_KEY',
        )
  if (status === 404)
    return new TokgridError(
      'unreachable',
      `there is no OpenAI API at ${url}: /v1/models gives HTTP 404`,
      'check the port and the path of the url',
    )
  return new TokgridError(
    'unreachable',
    `${url}/v1/models gives HTTP ${status}`,
    status === 503 ? 'wait until the server is ready' : 'see the log of the server',
  )
}

/** OpenSSL's and Node's names for a certificate that nobody vouches for. */
const certificateProblem = /CERT|SIGNATURE|ERR_TLS/

function connectHint(code: string): string {
  if (certificateProblem.test(code)) return 'its TLS certificate is not trusted: --insecure takes it'
  return 'check the url, and that the server runs and can be reached from here'
}
