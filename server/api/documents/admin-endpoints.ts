import type { Availability } from '#server/api/contract/endpoint.ts'
import { plans } from '#server/api/contract/plans.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow } from './catalogue.ts'

/** Endpoint as shown in the admin, where its availability is set. */
export type AdminEndpoint = {
  readonly id: string
  /** Method and path, such as `GET /rates`. */
  readonly name: string
  readonly summary: string
  /** `1 credit per row`, `5 credits`, `free`. */
  readonly cost: string
  /** Lowest plan that a live key needs; null for every plan. */
  readonly plan: string | null
  /** Declared availability. */
  readonly catalogue: Availability
  /** Administrator's override; null if there is none. */
  readonly override: Availability | null
  readonly now: Availability
  /** True if it has no handler yet, so it is coming soon regardless of the override. */
  readonly isPlanned: boolean
}

/** Returns every endpoint in catalogue order. */
export function adminEndpoints(overrides: ReadonlyMap<string, Availability>): AdminEndpoint[] {
  return registry.map((endpoint) => ({
    id: endpoint.id,
    name: `${endpoint.method} ${endpoint.path}`,
    summary: endpoint.summary,
    cost: describePrice(endpoint.price),
    plan: endpoint.plan === undefined ? null : plans[endpoint.plan].label,
    catalogue: endpoint.live,
    override: overrides.get(endpoint.id) ?? null,
    now: availabilityNow(endpoint, overrides),
    isPlanned: endpoint.kind === 'planned',
  }))
}
