import { Histogram } from './counters.ts'
import { type CalledEndpoint, type CallTrace, type EndedCall, tracing } from './tracer.ts'

/** Call modes: without a known key, with a test key, or with a live key (or a partner's). */
export const callModes = { none: 0, test: 1, live: 2 } as const

/** Steps of a call in order. A call with outdated cached data repeats some of them. */
export const stepNames = ['parse', 'authenticate', 'check', 'build', 'admit', 'seal', 'send'] as const

export type StepName = (typeof stepNames)[number]

/** Step numbers by name. Recording a step then takes two numbers and no string. */
export const steps = Object.fromEntries(stepNames.map((name, no) => [name, no])) as Record<StepName, number>

/** Bucket bounds in milliseconds. */
const callBoundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500]
const stepBoundsMs = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100, 500, 2_000]

/** Bound once: looking up `performance.now` each time would make it 50% slower. */
const now = performance.now.bind(performance)

/** Steps are timed for one call in this many. Timing every call would be too slow, because reading the clock takes 5% of a step's duration. */
const timedOneIn = 16
/** Minimum duration, in milliseconds, of a call that is logged as slow. */
const slowMs = 1_000

/**
 * Array indexes of the call counters: one for 200 responses, one for 304, then one per error. An error's index is `errors` plus its number in the request log.
 */
export const outcomeSlots = { ok: 0, unchanged: 1, errors: 2 } as const
const slotCount = 48

/** Record of a call in progress. */
export class CallRecord implements EndedCall {
  readonly begun: number
  /** Alternating step numbers and end times; null if the steps of this call are not timed. */
  readonly marks: number[] | null
  readonly trace: CallTrace | null
  mode: number = callModes.none
  credits = 0
  /** True if the response's page came from the cache, false if it was built for this call; null if the response has no page. */
  isShared: boolean | null = null
  endpoint: CalledEndpoint | null = null
  requestId = ''
  status = 0
  /** Number of the error in the request log; 0 if there is none. */
  error = 0
  /** Path after the version prefix, with its query. */
  target = ''

  constructor(begun: number, isTimed: boolean, trace: CallTrace | null) {
    this.begun = begun
    this.marks = isTimed ? [] : null
    this.trace = trace
  }

  /** Records the response. `error` is the number of the error in the request log; 0 if there is none. */
  answered(route: { readonly endpoint: CalledEndpoint | null; readonly target: string }, requestId: string, status: number, error: number): void {
    this.endpoint = route.endpoint
    this.target = route.target
    this.requestId = requestId
    this.status = status
    this.error = error
  }

  /** Records the end of a step. */
  mark(step: number): void {
    this.marks?.push(step, now())
  }
}

/** Call metrics for one endpoint, or for all unknown paths. */
export class EndpointCounts {
  readonly id: string
  readonly counts = [new Float64Array(slotCount), new Float64Array(slotCount), new Float64Array(slotCount)] as const
  readonly tookMs = new Histogram(callBoundsMs)
  credits = 0
  shared = 0
  built = 0

  constructor(id: string) {
    this.id = id
  }
}

export type CallListener = (call: CallRecord, tookMs: number) => void

/** Metrics of this process's calls. All pipelines of the process update them; they are read on each scrape. */
class CallCounts {
  /** Metrics by endpoint number; 0: unknown path. */
  readonly endpoints: (EndpointCounts | undefined)[] = []
  readonly stepMs: readonly Histogram[] = stepNames.map(() => new Histogram(stepBoundsMs))
  inProgress = 0
  private begun = 0
  /** Called for every completed call. */
  onEnd: CallListener | null = null
  /** Called for every slow call. */
  onSlow: CallListener | null = null

  begin(traceparent: string | string[] | undefined): CallRecord {
    this.inProgress++
    const begun = now()
    const trace = tracing.tracer === null ? null : tracing.tracer.call(traceparent, begun)
    return new CallRecord(begun, trace !== null || this.begun++ % timedOneIn === 0, trace)
  }

  /** Records the end of a call, once its response has been written. */
  end(call: CallRecord): void {
    this.inProgress--
    const ended = now()
    const tookMs = ended - call.begun
    const telemetry = this.of(call.endpoint)
    const counts = telemetry.counts[call.mode]
    const slot = call.error > 0 ? outcomeSlots.errors + call.error : call.status === 304 ? outcomeSlots.unchanged : outcomeSlots.ok
    if (counts) counts[slot] = (counts[slot] ?? 0) + 1
    telemetry.tookMs.add(tookMs)
    telemetry.credits += call.credits
    if (call.isShared === true) telemetry.shared++
    else if (call.isShared === false) telemetry.built++
    if (call.marks !== null) this.addSteps(call.marks, call.begun)
    if (tookMs >= slowMs) this.onSlow?.(call, tookMs)
    this.onEnd?.(call, tookMs)
    call.trace?.end(call, ended)
  }

  private of(endpoint: CalledEndpoint | null): EndpointCounts {
    const no = endpoint?.no ?? 0
    const known = this.endpoints[no]
    if (known) return known
    const made = new EndpointCounts(endpoint?.id ?? 'none')
    this.endpoints[no] = made
    return made
  }

  private addSteps(marks: readonly number[], begun: number): void {
    let from = begun
    for (let at = 0; at < marks.length; at += 2) {
      const until = marks[at + 1] ?? from
      this.stepMs[marks[at] ?? 0]?.add(until - from)
      from = until
    }
  }
}

export const calls = new CallCounts()
