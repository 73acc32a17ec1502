import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  type HrTime,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type Tracer as SpanMaker,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { clock } from '#server/clock.ts'
import { callAttributes, nameOfCall, spansOfSteps } from './call-reports.ts'
import type { Log } from './log.ts'
import type { SamplerName, TraceSettings } from './observability-variables.ts'
import type { BatchTimes, CallTrace, EndedCall, Tracer, Work } from './telemetry/tracer.ts'

/** Format of a `traceparent` header (W3C Trace Context): version, trace, span, flags. Future versions may append more fields; version 00 may not. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const isNothing = (hex: string): boolean => /^0+$/.test(hex)

/** Returns the caller's span, or null if the header is missing or invalid. The caller's `tracestate` is ignored, because it could contain anything. */
export function getParent(header: string | string[] | undefined): SpanContext | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = (typeof header === 'string' && form.exec(header)) || []
  if (traceId === '' || version === 'ff' || (version === '00' && more !== undefined) || isNothing(traceId) || isNothing(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

const scope = 'savings-rates-data-api'
const closeTimeoutMs = 2_000
const maxWaiting = 4_096
const maxLinks = 64
const reportIntervalMs = 60_000
const longestFault = 200

function getSampler(name: SamplerName, share: number): Sampler {
  const ratio = () => new TraceIdRatioBasedSampler(share)
  const made: Record<SamplerName, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: ratio,
    parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: () => new ParentBasedSampler({ root: ratio() }),
  }
  return made[name]()
}

/** Offset in milliseconds from `performance.now()` to wall-clock time, fixed when this module is loaded. */
const offsetMs = clock.now() - performance.now()

function at(moment: number): HrTime {
  const ms = offsetMs + moment
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)]
}

/** Records a span after its work has finished, so nothing has to be stored while the work runs. */
function past(
  maker: SpanMaker,
  name: string,
  kind: SpanKind,
  from: number,
  until: number,
  attributes: Attributes,
  within: Context,
  links: readonly SpanContext[] = [],
) {
  const span = maker.startSpan(name, { kind, startTime: at(from), attributes, links: links.map((context) => ({ context })) }, within)
  span.end(at(until))
  return span
}

class TracedCall implements CallTrace {
  readonly span: Span
  private readonly maker: SpanMaker
  batches: SpanContext[] = []

  constructor(maker: SpanMaker, span: Span) {
    this.maker = maker
    this.span = span
  }

  end(call: EndedCall, endedAt: number): void {
    const { span, maker } = this
    const within = trace.setSpan(ROOT_CONTEXT, span)
    for (const { step, from, until } of spansOfSteps(call)) past(maker, step, SpanKind.INTERNAL, from, until, {}, within, step === 'admit' ? this.batches : [])
    span.updateName(nameOfCall(call))
    span.setAttributes(callAttributes(call))
    if (call.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(at(endedAt))
  }
}

class OpenTelemetryTracer implements Tracer {
  private readonly sampled: SpanMaker
  private readonly always: SpanMaker

  /** `sampled` applies the configured sampler. `always` records every span, and is used only for calls that have already been sampled. */
  constructor(sampled: SpanMaker, always: SpanMaker) {
    this.sampled = sampled
    this.always = always
  }

  call(traceparent: string | string[] | undefined, begun: number): CallTrace | null {
    const parent = getParent(traceparent)
    const within = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const span = this.sampled.startSpan('call', { kind: SpanKind.SERVER, startTime: at(begun) }, within)
    return (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0 ? null : new TracedCall(this.always, span)
  }

  batch(calls: readonly CallTrace[], { size, sent, committed, onDisk }: BatchTimes): void {
    const traced = calls.filter((call) => call instanceof TracedCall)
    const links = traced.slice(0, maxLinks).map(({ span }) => span.spanContext())
    const whole = past(this.always, 'admission.batch', SpanKind.INTERNAL, sent, onDisk, { 'svc.batch.size': size }, ROOT_CONTEXT, links)
    const within = trace.setSpan(ROOT_CONTEXT, whole)
    const database = { 'db.system.name': 'postgresql' }
    past(this.always, 'admission.statement', SpanKind.CLIENT, sent, committed, database, within)
    past(this.always, 'admission.flush', SpanKind.CLIENT, committed, onDisk, database, within)
    for (const call of traced) call.batches.push(whole.spanContext())
  }

  work({ name, isOutgoing, begun, ended, facts, fault }: Work): void {
    const attributes = { ...facts, ...(fault === null ? {} : { 'error.type': fault }) }
    const span = this.sampled.startSpan(name, { kind: isOutgoing ? SpanKind.CLIENT : SpanKind.INTERNAL, startTime: at(begun), attributes }, ROOT_CONTEXT)
    if (fault !== null) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(at(ended))
  }
}

/** Logs failed exports, at most one per minute. */
function reportFaults(log: Log): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = (message: string) => {
    if (performance.now() - reportedAt < reportIntervalMs) return
    reportedAt = performance.now()
    log.info({ problem: message.slice(0, longestFault) }, 'Failed to export traces. Calls are not affected.')
  }
  const quiet = () => undefined
  diag.setLogger({ error: report, warn: report, info: quiet, debug: quiet, verbose: quiet }, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

/**
 * Opens the trace exporter. It is not registered globally, because Next would then record spans with URLs and parameters. Spans beyond the limit on pending
 * spans are dropped, so an unavailable collector delays nothing.
 */
export function openTracer(settings: TraceSettings, release: string, log: Log): { tracer: Tracer; close: () => Promise<void> } {
  reportFaults(log)
  const { url, headers, timeoutMs, sampler, share } = settings
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs })
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize: maxWaiting, exportTimeoutMillis: timeoutMs + 1_000 })
  const resource = defaultResource().merge(resourceFromAttributes({ ...settings.resource, 'service.version': release }))
  const getMaker = (chosen: Sampler) => new TracerProvider({ resource, sampler: chosen, spanProcessors: [processor] }).getTracer(scope, release)
  const quietly = (error: unknown) => log.info({ err: error }, 'Failed to export the last traces.')
  return {
    tracer: new OpenTelemetryTracer(getMaker(getSampler(sampler, share)), getMaker(new AlwaysOnSampler())),
    close: () => Promise.race([processor.shutdown().catch(quietly), sleep(closeTimeoutMs, undefined, { ref: false })]),
  }
}
