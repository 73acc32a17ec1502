import { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'

const samplers = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const

export type SamplerName = (typeof samplers)[number]

const collector = z.string().regex(/^https?:\/\/[^\s]+$/, 'must be the URL of a collector, such as http://localhost:4318')

const share = z
  .string()
  .refine((text) => /^[01](\.\d+)?$|^\.\d+$/.test(text) && Number(text) <= 1, 'must be the fraction of calls to trace, from 0 to 1, such as 0.05')
  .transform(Number)

/** Parses a comma-separated list of percent-encoded `name=value` pairs, the format that OpenTelemetry defines for lists in environment variables. */
const pairs = z.string().transform((text, ctx) => {
  const entries = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part]))
  try {
    return Object.fromEntries(
      entries.map((entry) => {
        const mark = entry.indexOf('=')
        if (mark < 1) throw new Error('no name')
        return [decodeURIComponent(entry.slice(0, mark).trim()), decodeURIComponent(entry.slice(mark + 1).trim())]
      }),
    )
  } catch {
    // The message doesn't repeat the value, because headers contain the collector's secret.
    ctx.addIssue({ code: 'custom', message: 'must be a list such as name=value,other=value, with special characters percent-encoded' })
    return z.NEVER
  }
})

/** Environment variables for metrics and traces. Those for traces have the names and meanings that OpenTelemetry defines. */
export const observabilityVariables = {
  METRICS_TOKEN: z.string().min(24, 'must have 24 characters or more').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(1, 999_999, 'must be a time in milliseconds, such as 10000').default(10_000),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/protobuf', 'must be http/protobuf, the only supported protocol').optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_SDK_DISABLED: z
    .string()
    .transform((text) => text.toLowerCase() === 'true')
    .default(false),
}

type Values = z.infer<z.ZodObject<typeof observabilityVariables>>

const tracesPath = 'v1/traces'
const usualName = 'savings-rates-data-api'

/** Returns the destination and sampling of traces; null if tracing is off. */
function getTraces(v: Values) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_RESOURCE_ATTRIBUTES: attributes } = v
  const url = whole ?? (base === undefined ? null : `${base.replace(/\/$/, '')}/${tracesPath}`)
  if (v.OTEL_SDK_DISABLED || v.OTEL_TRACES_EXPORTER === 'none' || url === null) return null
  return {
    /** Full URL, including the path. */
    url,
    headers: v.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMs: v.OTEL_EXPORTER_OTLP_TIMEOUT,
    /** OpenTelemetry resource attributes, including the service name. */
    resource: { ...attributes, 'service.name': v.OTEL_SERVICE_NAME ?? attributes?.['service.name'] ?? usualName },
    sampler: v.OTEL_TRACES_SAMPLER,
    /** Fraction of calls to sample, from 0 to 1, for ratio-based samplers. */
    share: v.OTEL_TRACES_SAMPLER_ARG,
  }
}

export type TraceSettings = NonNullable<ReturnType<typeof getTraces>>

export const getObservabilityEnv = (v: Values) => ({
  /**
   * Token that `/metrics` requires. Null: no token is required, but only requests from this machine are answered, and only with development features enabled.
   */
  metricsToken: v.METRICS_TOKEN ?? null,
  traces: getTraces(v),
})

export type ObservabilityEnv = ReturnType<typeof getObservabilityEnv>
