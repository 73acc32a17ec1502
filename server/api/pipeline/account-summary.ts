import type { AccountSummary, CatalogueRow, UsageSummary } from '#server/api/contract/account-summary.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { describeScope } from '#server/api/contract/scopes.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import { getAvailability, standingRefusal } from './access-checks.ts'
import type { PipelineEndpoint } from './call.ts'
import type { ConfigSnapshot } from './config-snapshot.ts'

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
