import type { CallOptions } from './call-options.ts'
import { table } from './generated/table.ts'
import { checked, type Settings, version } from './settings.ts'
import type { OperationId } from './shapes.ts'

/** A call as it is sent, the same for each attempt. */
export type Outgoing = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly idempotencyKey: string | null }

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** A value as one part of a path. "." and ".." would be taken for steps in it. */
function pathPart(name: string, text: string | null): string {
  if (text === null || text === '' || text === '.' || text === '..') throw new TypeError(`"${name}" is missing, or cannot be part of an address.`)
  return encodeURIComponent(text)
}

function addressOf(path: string, input: object): string {
  const query = new URLSearchParams()
  let filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, textOf((input as Record<string, unknown>)[name])))
  for (const [name, value] of Object.entries(input)) {
    const text = path.includes(`{${name}}`) ? null : textOf(value)
    if (text !== null) query.append(name, text)
  }
  if (query.size > 0) filled += `?${query}`
  return filled
}

/** What a call sends. One that costs something has a key of its own, so that no retry of it is charged again. */
export function outgoing(id: OperationId, input: object, settings: Settings, options: CallOptions): Outgoing {
  const { path, credits } = table[id]
  const isCharged = credits > 0
  const idempotencyKey = isCharged ? (options.idempotencyKey ?? crypto.randomUUID()) : null
  const most = options.maxCredits === undefined ? settings.maxCredits : checked.maxCredits(options.maxCredits)
  return {
    url: settings.baseUrl + addressOf(path, input),
    idempotencyKey,
    headers: {
      Authorization: `Bearer ${settings.apiKey}`,
      Accept: 'application/json',
      'User-Agent': `savings-rates-client/${version}`,
      ...(options.ifNoneMatch === undefined ? {} : { 'If-None-Match': options.ifNoneMatch }),
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(isCharged && most !== null ? { 'X-SVC-Max-Credits': String(most) } : {}),
    },
  }
}
