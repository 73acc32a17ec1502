/** Access checks of a call, in the order of the contract, one function per step: key, account, address, licence, availability, plan, scope. */

import { allows, describeScope, includesPlan, plans } from '#server/api/contract/access.ts'
import type { AccountSummary, CatalogueRow, UsageSummary } from '#server/api/contract/account-summary.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { type Refusal, refuse } from '#server/api/contract/errors.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { plainAddress } from '#server/keys/address-list.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import type { Call, PipelineEndpoint } from './call.ts'
import type { ConfigSnapshot } from './config-snapshot.ts'

const notLaunched = refuse('not_found', {}, 'This endpoint is announced but not launched yet. The changelog will announce its launch.')

function keyState(facts: KeyRecord, now: number): Refusal | null {
  if (facts.revokedAt !== null && facts.revokedAt <= now) {
    return refuse('key_revoked', {}, 'This key has been revoked. Use another key, or create one in the portal.')
  }
  if (facts.expiresAt !== null && facts.expiresAt <= now)
    return refuse('key_revoked', { reason: 'expired' }, 'This key has expired. Create a new one in the portal.')
  return null
}

function accountState(facts: KeyRecord): Refusal | null {
  if (facts.accountState === 'blocked') {
    const why = facts.blockReason ? ` Reason: ${facts.blockReason}` : ''
    return refuse('account_blocked', { reason: facts.blockReason }, `This account is blocked. Contact support.${why}`)
  }
  if (facts.accountState === 'review' && facts.mode === 'live' && facts.declineReason !== null) {
    return refuse('account_blocked', { reason: 'review_declined' }, `Your account was not approved for live keys. Reason: ${facts.declineReason}`)
  }
  if (facts.accountState === 'review' && facts.mode === 'live') {
    const message = 'Live keys work once your account is approved; we will email you. Test keys work now.'
    return refuse('account_blocked', { reason: 'review_pending' }, message)
  }
  return null
}

function address(facts: KeyRecord, caller: string | null): Refusal | null {
  if (facts.mode === 'test' || facts.addresses === null || facts.addresses.includes(caller)) return null
  const from = caller === null ? 'an unknown address' : plainAddress(caller)
  return refuse('ip_not_allowed', {}, `This key can't be used from ${from}. Call from an address on its allow-list, or change the list in the portal.`)
}

function licence(facts: KeyRecord, now: number): Refusal | null {
  return facts.licenceDueAt !== null && facts.licenceDueAt <= now ? refuse('licence_reacceptance_required') : null
}

function route(call: Call, available: Availability | null): Refusal | null {
  const { endpoint, allow, hint } = call.route
  if (allow !== null) return refuse('not_found', {}, `This path only supports ${allow}. Call it with ${allow}.${hint}`, ['Allow', allow])
  if (endpoint === null) return refuse('not_found', {}, `This route does not exist.${hint}`)
  return available === 'coming-soon' ? notLaunched : null
}

function availability(facts: KeyRecord, endpoint: PipelineEndpoint, available: Availability, market: MarketSnapshot): Refusal | null {
  if (facts.mode === 'live') return available === 'test-only' ? refuse('endpoint_restricted') : null
  return endpoint.sampled && market.dataset('sample').productCount === 0 ? refuse('sample_data_unavailable') : null
}

function plan(facts: KeyRecord, endpoint: PipelineEndpoint): Refusal | null {
  const needed = endpoint.plan
  if (facts.mode === 'test' || needed === undefined || includesPlan(facts.plan, needed)) return null
  return refuse(
    'plan_upgrade_required',
    { requiredPlan: needed },
    `This endpoint needs the ${plans[needed].label} plan. Your account is on ${plans[facts.plan].label}.`,
  )
}

function scope(facts: KeyRecord, endpoint: PipelineEndpoint): Refusal | null {
  if (allows(facts.scopes, endpoint.scope)) return null
  const required = describeScope(endpoint.scope)
  return refuse('insufficient_scope', { required }, `This key does not have the scope ${required}. Create a key that has it.`)
}

/** Refuses calls to an endpoint without a handler. Runs last, so that callers who would never have access get the error about their access instead. */
function launch(endpoint: PipelineEndpoint): Refusal | null {
  return endpoint.kind === 'planned' ? notLaunched : null
}

/** Returns the availability of an endpoint: the administrator's override, else the declared one. */
function getAvailability(endpoint: PipelineEndpoint, overrides: ReadonlyMap<string, Availability>): Availability {
  return overrides.get(endpoint.id) ?? endpoint.live
}

/** Returns the refusal that applies to every call of this caller, or null. `now` is in milliseconds since 1970. */
export function callerRefusal(facts: KeyRecord, caller: string | null, now: number): Refusal | null {
  return keyState(facts, now) ?? accountState(facts) ?? address(facts, caller) ?? licence(facts, now)
}

/** Returns the first refusal that applies to the call, or null. `now` is in milliseconds since 1970. */
export function getRefusal(call: Call, facts: KeyRecord, { overrides, market }: ConfigSnapshot, now: number): Refusal | null {
  const { endpoint } = call.route
  const available = endpoint && getAvailability(endpoint, overrides)
  return (
    callerRefusal(facts, call.address, now) ??
    route(call, available) ??
    (endpoint && available && (availability(facts, endpoint, available, market) ?? plan(facts, endpoint) ?? scope(facts, endpoint) ?? launch(endpoint)))
  )
}

/** Returns the error that a call to `endpoint` with this key would get, regardless of IP address and time, or null if it is allowed. */
export function standingRefusal(endpoint: PipelineEndpoint, facts: KeyRecord, { overrides, market }: ConfigSnapshot): Refusal | null {
  const available = getAvailability(endpoint, overrides)
  if (available === 'coming-soon') return notLaunched
  return availability(facts, endpoint, available, market) ?? plan(facts, endpoint) ?? scope(facts, endpoint) ?? launch(endpoint)
}

function catalogueRow(endpoint: PipelineEndpoint, facts: KeyRecord, shared: ConfigSnapshot): CatalogueRow {
  const refusal = standingRefusal(endpoint, facts, shared)
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
export function summarise(facts: KeyRecord, usage: UsageSummary, endpoints: readonly PipelineEndpoint[], shared: ConfigSnapshot): AccountSummary {
  return {
    account: { id: facts.accountPublicId, name: facts.accountName, status: facts.accountState, plan: facts.plan },
    key: {
      id: facts.publicId,
      mode: facts.mode,
      hint: facts.hint,
      scopes: [...facts.scopes],
      ipAllowList: facts.ranges,
      createdAt: facts.createdAt.toISOString(),
      expiresAt: facts.expiresAt === null ? null : new Date(facts.expiresAt).toISOString(),
    },
    limits: facts.limits,
    usage,
    endpoints: endpoints.map((endpoint) => catalogueRow(endpoint, facts, shared)),
  }
}
