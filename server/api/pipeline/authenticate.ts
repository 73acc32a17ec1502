import { hash } from 'node:crypto'
import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import type { KeyRecord, KeyRecordCache } from '#server/keys/key-record.ts'
import { isWellFormed, type KeyAudience } from '#server/keys/key-secret.ts'
import type { Answer, Call, KnownKey } from './call.ts'
import { AddressLimit, countWindow, limitHeaders } from './rate-windows.ts'
import type { ResponseBuilder } from './response-builder.ts'

const bearer = /^bearer +([^\s]+) *$/i

const challenge = 'Bearer realm="svc"'

const missing = refuse('missing_api_key', {}, undefined, ['WWW-Authenticate', challenge])
const unknown = refuse('invalid_api_key', {}, undefined, ['WWW-Authenticate', `${challenge}, error="invalid_token"`])

/** Key presented by a call, with its SHA-256 hash in hex, or the rejection if the call has no key. */
export type Presented = { readonly hash: string; readonly key: string } | KnownKey | { readonly refusal: Refusal }

/** Reads the Authorization header. Keys anywhere else are ignored on purpose: URLs and custom headers end up in logs. */
export function readAuthorization(header: string | string[] | undefined): Presented {
  const key = typeof header === 'string' ? bearer.exec(header)?.[1] : undefined
  return key === undefined ? { refusal: missing } : { hash: hash('sha256', key, 'hex'), key }
}

/** Returns the key of a call: the one set by the console, or else the one in the Authorization header. */
export const presentedBy = ({ presented, headers }: Pick<Call, 'presented' | 'headers'>): Presented => presented ?? readAuthorization(headers['authorization'])

/** Looks up the presented key. Verifies the checksum in the key first, so that guesses never reach the database. */
export async function findKey(
  presented: { hash: string; key: string } | KnownKey,
  cache: KeyRecordCache,
  audience: KeyAudience = 'api',
): Promise<KeyRecord | { refusal: Refusal }> {
  const isTaken = 'audience' in presented ? presented.audience === audience : isWellFormed(presented.key, audience)
  if (!isTaken) return { refusal: unknown }
  return (await cache.load(presented.hash)) ?? { refusal: unknown }
}

/** Rejects requests without a valid key and counts them by network. Over the limit, the rejection is `rate_limited`. */
export class UnauthenticatedLimits {
  private readonly responseBuilder: ResponseBuilder
  private readonly addresses = new AddressLimit()

  constructor(responseBuilder: ResponseBuilder) {
    this.responseBuilder = responseBuilder
  }

  /** Returns the rate limit headers for a response that is sent before the key is checked. Counts the request as if it had been rejected. */
  limits(address: string | null): string[] {
    return limitHeaders(countWindow('address', this.addresses.count(address)))
  }

  refuse(address: string | null, requestId: string, refusal: Refusal): Answer {
    const counted = this.addresses.count(address)
    const { limit, resetSeconds } = counted
    const over = refuse(
      'rate_limited',
      { retryAfter: resetSeconds },
      `The limit of ${limit} calls per minute without a valid key is reached. Retry in ${resetSeconds} seconds.`,
    )
    return this.responseBuilder.refused({ requestId, window: countWindow('address', counted) }, counted.isOver ? over : refusal)
  }
}
