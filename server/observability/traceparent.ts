import type { SpanContext } from '@opentelemetry/api'

/** Version, trace, span, flags (W3C Trace Context). Future versions may append more fields; version 00 may not. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const isNothing = (hex: string): boolean => /^0+$/.test(hex)

/** Returns the caller's span; null if the header is missing or invalid. The caller's `tracestate` is ignored, because it could contain anything. */
export function getParent(header: string | string[] | undefined): SpanContext | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] = (typeof header === 'string' && form.exec(header)) || []
  if (traceId === '' || version === 'ff' || (version === '00' && more !== undefined) || isNothing(traceId) || isNothing(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
