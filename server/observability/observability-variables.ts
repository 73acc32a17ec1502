import { z } from 'zod'

const samplers = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const

export type SamplerName = (typeof samplers)[number]

const collector = z.string().regex(/^https?:\/\/[^\s]+$/, 'must be the URL of a collector, such as http://localhost:4318')

const share = z
  .string()
  .refine((text) => /^[01](\.\d+)?$|^\.\d+$/.test(text) && Number(text) <= 1, 'must be a share of the calls from 0 to 1, such as 0.05')
  .transform(Number)

/** Parses a comma-separated list of percent-encoded `name=value` pairs, OpenTelemetry's format for lists in variables. */
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
    // The value is not repeated, because headers contain the collector's secret.
    ctx.addIssue({ code: 'custom', message: 'must be a list such as name=value,other=value, with special characters percent-encoded' })
    return z.NEVER
  }
})

/** Environment variables of metrics and traces. Those of traces have the names and meanings that OpenTelemetry defines. */
export const observabilityVariables = {
  METRICS_TOKEN: z.string().min(24, 'must have 24 characters or more').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a time in milliseconds, such as 10000')
    .transform(Number)
    .default(10_000),
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

/** Destination and sampling of traces. */
export type TraceSettings = {
  /** Full URL, including the path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Attributes of this service, including its name. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** Share of calls to sample, from 0 to 1, for ratio-based samplers. */
  readonly share: number
}

export type ObservabilityEnv = {
  /** Token that `/metrics` requires. Null: no token, but only requests from this machine are answered, and only with development features. */
  readonly metricsToken: string | null
  /** Trace settings; null if tracing is off. */
  readonly traces: TraceSettings | null
}

const tracesPath = 'v1/traces'
const usualName = 'savings-rates-data-api'

export function getObservabilityEnv(v: z.infer<z.ZodObject<typeof observabilityVariables>>): ObservabilityEnv {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = v
  const url = whole ?? (base === undefined ? null : `${base.replace(/\/$/, '')}/${tracesPath}`)
  const isOff = v.OTEL_SDK_DISABLED || v.OTEL_TRACES_EXPORTER === 'none' || url === null
  const attributes = v.OTEL_RESOURCE_ATTRIBUTES ?? {}
  return {
    metricsToken: v.METRICS_TOKEN ?? null,
    traces: isOff
      ? null
      : {
          url,
          headers: v.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          timeoutMs: v.OTEL_EXPORTER_OTLP_TIMEOUT,
          resource: { ...attributes, 'service.name': v.OTEL_SERVICE_NAME ?? attributes['service.name'] ?? usualName },
          sampler: v.OTEL_TRACES_SAMPLER,
          share: v.OTEL_TRACES_SAMPLER_ARG,
        },
  }
}
