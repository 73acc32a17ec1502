import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import { callModes, type StepName, stepNames } from './telemetry/calls.ts'
import type { EndedCall } from './telemetry/tracer.ts'

/** Returns the steps of a call in order, each starting at the end of the previous one. */
export function spansOfSteps({ marks, begun }: EndedCall): { step: StepName; from: number; until: number }[] {
  const found: { step: StepName; from: number; until: number }[] = []
  let from = begun
  for (let at = 0; at < (marks?.length ?? 0); at += 2) {
    const step = stepNames[marks?.[at] ?? 0]
    const until = marks?.[at + 1] ?? from
    if (step !== undefined) found.push({ step, from, until })
    from = until
  }
  return found
}

/** Returns the path prefix of an endpoint. Those of the partner API have numbers above 100. */
const getPrefix = (no: number): string => (no > 100 ? '/api/v1' : '/v1')

/** Path segments of letters, digits, dots and dashes: enough for names of products and providers, but not for API keys or email addresses. */
const plainPath = /^(?:\/[A-Za-z0-9.-]{1,100})*$/

const getRoute = ({ endpoint }: EndedCall): string | null => (endpoint === null ? null : `${getPrefix(endpoint.no)}${endpoint.path}`)

/** Returns the span name by the OpenTelemetry conventions: method and route, or `HTTP` for a path without an endpoint. */
export function nameOfCall(call: EndedCall): string {
  const route = getRoute(call)
  return route === null ? 'HTTP' : `${call.endpoint?.method} ${route}`
}

const modeNames = Object.keys(callModes)

/** Returns the span attributes of a call. The path is included only if it has an endpoint and plain characters; the query never is. */
export function callAttributes(call: EndedCall): Record<string, string | number> {
  const route = getRoute(call)
  const path = call.target.split('?', 1)[0] ?? ''
  const error = errorCodes.find((code) => errors[code].no === call.error)
  return {
    'http.response.status_code': call.status,
    'svc.request_id': publicRequestId(call.requestId),
    'svc.mode': modeNames[call.mode] ?? '',
    'svc.credits': call.credits,
    ...(route === null || call.endpoint === null ? {} : { 'http.request.method': call.endpoint.method, 'http.route': route, 'svc.endpoint': call.endpoint.id }),
    ...(call.endpoint !== null && plainPath.test(path) ? { 'url.path': `${getPrefix(call.endpoint.no)}${path}` } : {}),
    ...(error === undefined ? {} : { 'error.type': error }),
  }
}
