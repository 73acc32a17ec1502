import type { Registry } from 'prom-client'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { histogramSamples, one, register, type Sample } from './metric.ts'
import { callModes, calls, type EndpointCounts, outcomeSlots, stepNames } from './telemetry/calls.ts'

const known = (): EndpointCounts[] => calls.endpoints.filter((telemetry) => telemetry !== undefined)

/** Labels of the slots in which calls are counted. */
const outcomes = [
  { slot: outcomeSlots.ok, status: '200', error: '' },
  { slot: outcomeSlots.unchanged, status: '304', error: '' },
  ...errorCodes.map((code) => ({ slot: outcomeSlots.errors + errors[code].no, status: String(errors[code].status), error: code })),
]

function requestSamples(): Sample[] {
  return known().flatMap(({ id, counts }) =>
    Object.entries(callModes).flatMap(([mode, no]) =>
      outcomes.flatMap(({ slot, status, error }) => {
        const value = counts[no]?.[slot] ?? 0
        return value === 0 ? [] : [{ labels: { endpoint: id, mode, status, error }, value }]
      }),
    ),
  )
}

const perEndpoint = (value: (telemetry: EndpointCounts) => number): Sample[] =>
  known().map((telemetry) => ({ labels: { endpoint: telemetry.id }, value: value(telemetry) }))

/** Registers the pipeline's metrics of calls. */
export function registerCalls(registry: Registry): void {
  const counter = { type: 'counter', aggregator: 'sum' } as const
  const histogram = { type: 'histogram', aggregator: 'sum' } as const
  register(registry, { ...counter, name: 'svc_requests_total', help: 'Completed calls, by endpoint, mode of the key, status and error code.' }, requestSamples)
  register(registry, { ...counter, name: 'svc_credits_charged_total', help: 'Credits charged for calls.' }, () => perEndpoint(({ credits }) => credits))
  register(registry, { ...counter, name: 'svc_pages_shared_total', help: 'Pages served from the cache.' }, () => perEndpoint(({ shared }) => shared))
  register(registry, { ...counter, name: 'svc_pages_built_total', help: 'Pages built because none was cached.' }, () => perEndpoint(({ built }) => built))
  const took = 'svc_request_duration_seconds'
  register(registry, { ...histogram, name: took, help: 'Time from the arrival of a call to the writing of its response.' }, () =>
    known().flatMap(({ id, tookMs }) => histogramSamples(took, tookMs, { endpoint: id })),
  )
  const step = 'svc_request_step_duration_seconds'
  register(registry, { ...histogram, name: step, help: 'Duration of each step of a call, measured for one call in sixteen.' }, () =>
    stepNames.flatMap((name, no) => {
      const telemetry = calls.stepMs[no]
      return telemetry ? histogramSamples(step, telemetry, { step: name }) : []
    }),
  )
  register(registry, { type: 'gauge', aggregator: 'sum', name: 'svc_requests_in_progress', help: 'Calls in progress.' }, () => one(calls.inProgress))
}
