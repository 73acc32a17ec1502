import type { AccountSummary, CatalogueRow, UsageSummary } from '#server/api/contract/account-summary.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { describeScope } from '#server/api/contract/scopes.ts'
import type { KeyFacts } from '#server/keys/key-facts.ts'

import type { GateEndpoint } from './call.ts'
import { availabilityOf, standingRefusal } from './refusals.ts'
import type { SharedFacts } from './shared-facts.ts'

function catalogueRow(endpoint: GateEndpoint, facts: KeyFacts, shared: SharedFacts): CatalogueRow {
  const refusal = standingRefusal(endpoint, facts, shared)
  return {
    method: endpoint.method,
    path: endpoint.path,
    scope: describeScope(endpoint.scope),
    cost: describePrice(endpoint.price),
    availability: endpoint.kind === 'planned' ? 'coming-soon' : availabilityOf(endpoint, shared.overrides),
    callable: refusal === null,
    reason: refusal?.code ?? null,
  }
}

/** Builds the data of `/me`: the account, the key, and every endpoint with its availability to this key. */
export function summarise(facts: KeyFacts, usage: UsageSummary, endpoints: readonly GateEndpoint[], shared: SharedFacts): AccountSummary {
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
