import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import { callModes, type StepName, stepNames } from './telemetry/calls.ts'
import type { EndedCall } from './telemetry/tracer.ts'

/** The steps of a call in their order, each from the end of the one before it. */
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

/** Where an endpoint is served: those of partners have numbers of their own. */
const prefixOf = (no: number): string => (no > 100 ? '/api/v1' : '/v1')

/** Letters, digits, dots and dashes: what names of products and providers are made of, and neither keys nor addresses of mail. */
const plainPath = /^(?:\/[A-Za-z0-9.-]{1,100})*$/

const routeOf = ({ endpoint }: EndedCall): string | null => (endpoint === null ? null : `${prefixOf(endpoint.no)}${endpoint.path}`)

/** By the conventions of OpenTelemetry: method and route, or the method alone of a path that leads nowhere. */
export function nameOfCall(call: EndedCall): string {
  const route = routeOf(call)
  return route === null ? 'HTTP' : `${call.endpoint?.method} ${route}`
}

const modeNames = Object.keys(callModes)

/** What a span says of a call. The path is told where it leads somewhere and is plain; what stands behind its `?` never is. */
export function callFacts(call: EndedCall): Record<string, string | number> {
  const route = routeOf(call)
  const path = call.target.split('?', 1)[0] ?? ''
  const error = errorCodes.find((code) => errors[code].no === call.error)
  return {
    'http.response.status_code': call.status,
    'svc.request_id': publicRequestId(call.requestId),
    'svc.mode': modeNames[call.mode] ?? '',
    'svc.credits': call.credits,
    ...(route === null || call.endpoint === null ? {} : { 'http.request.method': call.endpoint.method, 'http.route': route, 'svc.endpoint': call.endpoint.id }),
    ...(call.endpoint !== null && plainPath.test(path) ? { 'url.path': `${prefixOf(call.endpoint.no)}${path}` } : {}),
    ...(error === undefined ? {} : { 'error.type': error }),
  }
}
