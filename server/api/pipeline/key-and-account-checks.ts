/**
 * Access checks for a call, one function per step, in the order that the API contract specifies: key, account, address, licence, route, availability, plan,
 * scope.
 */

import { allows, describeScope, includesPlan, plans } from '#server/api/contract/access.ts'
import type { AccountSummary, UsageSummary } from '#server/api/contract/account-summary.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { describePrice } from '#server/api/contract/price-kinds.ts'
import { plainAddress } from '#server/keys/address-list.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { Call, PipelineEndpoint } from './call.ts'
import type { ConfigSnapshot } from './config-snapshot.ts'

const notLaunched = refuse('not_found', {}, 'This endpoint is announced but not launched yet. The changelog will announce its launch.')

function keyState(keyRecord: KeyRecord, now: number): Refusal | null {
  if (keyRecord.revokedAt !== null && keyRecord.revokedAt <= now) {
    return refuse('key_revoked', {}, 'This key has been revoked. Use another key, or create one in the portal.')
  }
  if (keyRecord.expiresAt !== null && keyRecord.expiresAt <= now)
    return refuse('key_revoked', { reason: 'expired' }, 'This key has expired. Create a new one in the portal.')
  return null
}

function accountState(keyRecord: KeyRecord): Refusal | null {
  if (keyRecord.accountState === 'blocked') {
    const why = keyRecord.blockReason ? ` Reason: ${keyRecord.blockReason}` : ''
    return refuse('account_blocked', { reason: keyRecord.blockReason }, `This account is blocked. Contact support.${why}`)
  }
  if (keyRecord.accountState === 'review' && keyRecord.mode === 'live' && keyRecord.declineReason !== null) {
    return refuse('account_blocked', { reason: 'review_declined' }, `Your account was not approved for live keys. Reason: ${keyRecord.declineReason}`)
  }
  if (keyRecord.accountState === 'review' && keyRecord.mode === 'live') {
    const message = 'Your account is in review. Live keys work once it is approved; we will email you. Test keys work now.'
    return refuse('account_blocked', { reason: 'review_pending' }, message)
  }
  return null
}

function address(keyRecord: KeyRecord, caller: string | null): Refusal | null {
  if (keyRecord.mode === 'test' || keyRecord.addresses === null || keyRecord.addresses.includes(caller)) return null
  const from = caller === null ? 'an unknown address' : plainAddress(caller)
  return refuse('ip_not_allowed', {}, `This key can't be used from ${from}. Call from an address on its allow-list, or change the list in the portal.`)
}

function licence(keyRecord: KeyRecord, now: number): Refusal | null {
  return keyRecord.licenceDueAt !== null && keyRecord.licenceDueAt <= now ? refuse('licence_reacceptance_required') : null
}

function route(call: Call, available: Availability | null): Refusal | null {
  const { endpoint, allow, hint } = call.route
  if (allow !== null) {
    const [method = ''] = allow.split(', ')
    return refuse('not_found', {}, `This path only supports ${allow.replace(/, (?=[^,]*$)/, ' and ')}. Call it with ${method}.${hint}`, ['Allow', allow])
  }
  if (endpoint === null) return refuse('not_found', {}, `This route does not exist.${hint}`)
  return available === 'coming-soon' ? notLaunched : null
}

function availability(keyRecord: KeyRecord, endpoint: PipelineEndpoint, available: Availability, market: MarketSnapshot): Refusal | null {
  if (keyRecord.mode === 'live') return available === 'test-only' ? refuse('endpoint_restricted') : null
  return endpoint.sampled && market.dataset('sample').productCount === 0 ? refuse('sample_data_unavailable') : null
}

function plan(keyRecord: KeyRecord, endpoint: PipelineEndpoint): Refusal | null {
  const needed = endpoint.plan
  if (keyRecord.mode === 'test' || needed === undefined || includesPlan(keyRecord.plan, needed)) return null
  return refuse(
    'plan_upgrade_required',
    { requiredPlan: needed },
    `This endpoint needs the ${plans[needed].label} plan. Your account is on ${plans[keyRecord.plan].label}.`,
  )
}

function scope(keyRecord: KeyRecord, endpoint: PipelineEndpoint): Refusal | null {
  if (allows(keyRecord.scopes, endpoint.scope)) return null
  const required = describeScope(endpoint.scope)
  return refuse('insufficient_scope', { required }, `This key does not have the scope ${required}. Add the scope to the key in the portal.`)
}

/**
 * Returns the rejection that applies to every call of the key to an endpoint, or null. An endpoint without a handler is checked last, so that callers who would
 * never have access get the error about their access instead.
 */
function accessRefusal(endpoint: PipelineEndpoint, keyRecord: KeyRecord, available: Availability, market: MarketSnapshot): Refusal | null {
  const refusal = availability(keyRecord, endpoint, available, market) ?? plan(keyRecord, endpoint) ?? scope(keyRecord, endpoint)
  return refusal ?? (endpoint.kind === 'planned' ? notLaunched : null)
}

/** Returns the availability of an endpoint: the administrator's override, else the declared one. */
function getAvailability(endpoint: PipelineEndpoint, overrides: ReadonlyMap<string, Availability>): Availability {
  return overrides.get(endpoint.id) ?? endpoint.live
}

/** Returns the rejection that applies to every call of this caller, or null. `now` is in milliseconds since 1970. */
export function callerRefusal(keyRecord: KeyRecord, caller: string | null, now: number): Refusal | null {
  return keyState(keyRecord, now) ?? accountState(keyRecord) ?? address(keyRecord, caller) ?? licence(keyRecord, now)
}

/** Returns the first rejection that applies to the call, or null. `now` is in milliseconds since 1970. */
export function getRefusal(call: Call, keyRecord: KeyRecord, { overrides, market }: ConfigSnapshot, now: number): Refusal | null {
  const { endpoint } = call.route
  const available = endpoint && getAvailability(endpoint, overrides)
  return (
    callerRefusal(keyRecord, call.address, now) ?? route(call, available) ?? (endpoint && available && accessRefusal(endpoint, keyRecord, available, market))
  )
}

/**
 * Returns the availability, plan or scope error that a call to `endpoint` with this key would get, or null if there is none. Does not check the key's state,
 * the account, the IP address or the licence.
 */
export function standingRefusal(endpoint: PipelineEndpoint, keyRecord: KeyRecord, { overrides, market }: ConfigSnapshot): Refusal | null {
  const available = getAvailability(endpoint, overrides)
  if (available === 'coming-soon') return notLaunched
  return accessRefusal(endpoint, keyRecord, available, market)
}

function catalogueRow(endpoint: PipelineEndpoint, keyRecord: KeyRecord, shared: ConfigSnapshot): AccountSummary['endpoints'][number] {
  const refusal = standingRefusal(endpoint, keyRecord, shared)
  return {
    method: endpoint.method,
    path: endpoint.path,
    scope: describeScope(endpoint.scope),
    cost: describePrice(endpoint.price),
    availability: endpoint.kind === 'planned' ? 'coming-soon' : getAvailability(endpoint, shared.overrides),
    callable: refusal === null,
    reason: refusal?.code ?? null,
  }
}

/** Builds the data of `/me`: the account, the key, and every endpoint with its availability to this key. */
export function summarise(keyRecord: KeyRecord, usage: UsageSummary, endpoints: readonly PipelineEndpoint[], shared: ConfigSnapshot): AccountSummary {
  const { perMinute, perDay } = keyRecord.limits
  const isLive = keyRecord.mode === 'live'
  return {
    account: { id: keyRecord.accountPublicId, name: keyRecord.accountName, status: keyRecord.accountState, plan: keyRecord.plan },
    key: {
      id: keyRecord.publicId,
      mode: keyRecord.mode,
      scopes: [...keyRecord.scopes],
      ipAllowList: [...keyRecord.ranges],
      createdAt: keyRecord.createdAt.toISOString(),
      expiresAt: keyRecord.expiresAt === null ? null : new Date(keyRecord.expiresAt).toISOString(),
      prefix: keyRecord.hint,
    },
    balance: { credits: usage.balanceCredits },
    rateLimits: { perMinute, perDay: isLive ? perDay : null },
    usage: {
      asOf: usage.asOf,
      requestsToday: usage.requestsToday,
      creditsToday: usage.creditsToday,
      // This request is counted only on admission, so `dayUsed` doesn't include it yet; it is subtracted here.
      remainingToday: isLive ? Math.max(0, perDay - usage.dayUsed - 1) : null,
    },
    endpoints: endpoints.map((endpoint) => catalogueRow(endpoint, keyRecord, shared)),
  }
}
