import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import { spansOfSteps } from './call-spans.ts'
import type { Log } from './log.ts'
import { type CallRecord, calls } from './telemetry/calls.ts'

/** Returns milliseconds by step; undefined if the steps of the call were not timed. */
function getSteps(call: CallRecord): Record<string, number> | undefined {
  if (call.marks === null) return undefined
  const found: Record<string, number> = {}
  for (const { step, from, until } of spansOfSteps(call)) found[step] = round((found[step] ?? 0) + until - from)
  return found
}

const round = (ms: number): number => Math.round(ms * 100) / 100

/** Returns the log fields of a call. They never include parameters, key or address. */
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
