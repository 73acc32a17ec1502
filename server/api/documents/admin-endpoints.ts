import type { Availability } from '#server/api/contract/endpoint.ts'
import { plans } from '#server/api/contract/plans.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { availabilityNow } from './catalogue.ts'

/** An endpoint as those see it who decide who may call it. */
export type AdminEndpoint = {
  readonly id: string
  /** Method and path, such as `GET /rates`. */
  readonly name: string
  readonly summary: string
  /** `1 credit per row`, `5 credits`, `free`. */
  readonly cost: string
  /** The least plan that a live key needs; null: every plan. */
  readonly plan: string | null
  /** What the catalogue says. */
  readonly catalogue: Availability
  /** What was set over it; null: nothing was. */
  readonly override: Availability | null
  readonly now: Availability
  /** Its handler is still to come: it is coming soon whatever is set. */
  readonly isPlanned: boolean
}

/** Every endpoint, in the order of the catalogue. */
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
