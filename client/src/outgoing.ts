import type { CallOptions } from './call-options.ts'
import { table } from './generated/table.ts'
import { checked, type Settings, version } from './settings.ts'
import type { OperationId } from './shapes.ts'

/** Request of a call, identical for every attempt. */
export type Outgoing = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly idempotencyKey: string | null }

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Encodes a path parameter. Rejects "." and "..", which would be resolved as path segments. */
function pathPart(name: string, text: string | null): string {
  if (text === null || text === '' || text === '.' || text === '..') throw new TypeError(`"${name}" is missing or can't be used in a URL path.`)
  return encodeURIComponent(text)
}

function buildPath(path: string, input: object): string {
  const query = new URLSearchParams()
  let filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, toText((input as Record<string, unknown>)[name])))
  for (const [name, value] of Object.entries(input)) {
    const text = path.includes(`{${name}}`) ? null : toText(value)
    if (text !== null) query.append(name, text)
  }
  if (query.size > 0) filled += `?${query}`
  return filled
}

/** Builds the request of a call. Calls that cost credits get an idempotency key, so that retries are not charged again. */
export function outgoing(id: OperationId, input: object, settings: Settings, options: CallOptions): Outgoing {
  const { path, credits } = table[id]
  const isCharged = credits > 0
  const idempotencyKey = isCharged ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  const maxCredits = options.maxCredits === undefined ? settings.maxCredits : checked.maxCredits(options.maxCredits)
  return {
    url: settings.baseUrl + buildPath(path, input),
    idempotencyKey,
    headers: {
      Authorization: `Bearer ${settings.apiKey}`,
      Accept: 'application/json',
      'User-Agent': `savings-rates-client/${version}`,
      ...(options.ifNoneMatch === undefined ? {} : { 'If-None-Match': options.ifNoneMatch }),
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(isCharged && maxCredits !== null ? { 'X-SVC-Max-Credits': String(maxCredits) } : {}),
    },
  }
}
