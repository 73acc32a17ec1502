import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import type { Log } from './log.ts'
import { type CallRecord, callModes, calls, type StepName, stepNames } from './telemetry/calls.ts'
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

/** Returns the path prefix of an endpoint. Partner API endpoints have numbers above 100. */
const getPrefix = (no: number): string => (no > 100 ? '/api/v1' : '/v1')

/** Matches paths with only letters, digits, dots and dashes. Keys of products and providers have this form; API keys and email addresses do not. */
const plainPath = /^(?:\/[A-Za-z0-9.-]{1,100})*$/

const getRoute = ({ endpoint }: EndedCall): string | null => (endpoint === null ? null : `${getPrefix(endpoint.no)}${endpoint.path}`)

/** Returns the span name according to OpenTelemetry's conventions: method and route, or `HTTP` for a path without an endpoint. */
export function nameOfCall(call: EndedCall): string {
  const route = getRoute(call)
  return route === null ? 'HTTP' : `${call.endpoint?.method} ${route}`
}

const modeNames = Object.keys(callModes)

/** Returns the span attributes of a call. The path is included only if it belongs to an endpoint and has only plain characters. The query is never included. */
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

/** Returns the milliseconds spent on each step; undefined if the call's steps were not timed. */
function getSteps(call: CallRecord): Record<string, number> | undefined {
  if (call.marks === null) return undefined
  const found: Record<string, number> = {}
  for (const { step, from, until } of spansOfSteps(call)) found[step] = round((found[step] ?? 0) + until - from)
  return found
}

const round = (ms: number): number => Math.round(ms * 100) / 100

/** Returns the log fields of a call. They never include its parameters, its key or the caller's address. */
const toLogFields = (call: CallRecord, tookMs: number) => ({
  requestId: publicRequestId(call.requestId),
  endpoint: call.endpoint?.id ?? 'none',
  status: call.status,
  error: errorCodes.find((code) => errors[code].no === call.error),
  credits: call.credits,
  tookMs: round(tookMs),
  steps: getSteps(call),
})

/** Logs slow calls and, at the level `debug`, every call. */
export function logCalls(log: Log, isVerbose: boolean): void {
  calls.onSlow = (call, tookMs) => log.info(toLogFields(call, tookMs), 'A call was slow.')
  calls.onEnd = isVerbose ? (call, tookMs) => log.debug(toLogFields(call, tookMs), 'A call.') : null
}
