import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { publicRequestId } from '#server/ids.ts'
import { spansOfSteps } from './call-spans.ts'
import type { Log } from './log.ts'
import { type CallRecord, calls } from './telemetry/calls.ts'

/** Milliseconds by step, of a call whose steps were timed. */
function stepsOf(call: CallRecord): Record<string, number> | undefined {
  if (call.marks === null) return undefined
  const found: Record<string, number> = {}
  for (const { step, from, until } of spansOfSteps(call)) found[step] = round((found[step] ?? 0) + until - from)
  return found
}

const round = (ms: number): number => Math.round(ms * 100) / 100

/** What a line says of a call: neither parameters nor key nor address. */
const factsOf = (call: CallRecord, tookMs: number) => ({
  requestId: publicRequestId(call.requestId),
  endpoint: call.endpoint?.id ?? 'none',
  status: call.status,
  error: errorCodes.find((code) => errors[code].no === call.error),
  credits: call.credits,
  tookMs: round(tookMs),
  steps: stepsOf(call),
})

/** Tells of calls that took long, and at the level `debug` of every call. */
export function logCalls(log: Log, isVerbose: boolean): void {
  calls.onSlow = (call, tookMs) => log.info(factsOf(call, tookMs), 'A call was slow.')
  calls.onEnd = isVerbose ? (call, tookMs) => log.debug(factsOf(call, tookMs), 'A call.') : null
}
