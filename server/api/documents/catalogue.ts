import { describeScope, includesPlan, type Plan, plans } from '#server/api/contract/access.ts'
import type { Availability } from '#server/api/contract/endpoint.ts'
import { creditPence, describePrice, type Price } from '#server/api/contract/price-kinds.ts'
import { legacyEndpoints } from '#server/api/endpoints/legacy/legacy-endpoints.ts'
import { accountEndpoints, allEndpoints, dataEndpoints, type registry } from '#server/api/endpoints/registry.ts'

export const availabilityLabels = { open: 'Open', 'test-only': 'Test only', 'coming-soon': 'Coming soon' } as const satisfies Record<Availability, string>

/** Formats pence: 5 is `5p`, 100 is `£1`, 150 is `£1.50`. */
export function describePence(pence: number): string {
  if (pence < 100) return `${pence}p`
  return pence % 100 === 0 ? `£${pence / 100}` : `£${(pence / 100).toFixed(2)}`
}

function describeMoney({ credits, per }: Price): string | null {
  if (credits === 0) return null
  return `${describePence(credits * creditPence)}${per === 'row' ? ' per row' : ''}`
}

/** Returns the current availability: the administrator's override, else the declared one. An endpoint without a handler is always coming soon. */
export function availabilityNow({ id, kind, live }: (typeof registry)[number], overrides: ReadonlyMap<string, Availability>): Availability {
  return kind === 'planned' ? 'coming-soon' : (overrides.get(id) ?? live)
}

/** Returns an endpoint's row in the price table. `overrides` are the administrators' availability overrides, by endpoint id. */
export function catalogueLine(endpoint: (typeof registry)[number], overrides: ReadonlyMap<string, Availability>) {
  const { id, method, path, summary, price, scope, plan } = endpoint
  const intended = overrides.get(id) ?? endpoint.live
  const available = availabilityNow(endpoint, overrides)
  const launched = available !== 'coming-soon'
  return {
    id,
    method,
    path,
    summary,
    /** Price in credits: `1 credit per row`, `5 credits` or `free`. */
    cost: describePrice(price),
    /** Price in pounds and pence: `10p per row`, `50p`; null if free. */
    money: describeMoney(price),
    scope: scope === 'any-key' ? 'any key' : describeScope(scope),
    /** Current availability. */
    availability: availabilityLabels[available],
    /** Availability at launch; null if the endpoint is already launched or its availability is undecided. */
    opensAs: launched || intended === 'coming-soon' ? null : availabilityLabels[intended],
    /** Lowest plan that a live key needs; null if any plan is enough. */
    plan: plan === undefined ? null : plans[plan].label,
    launched,
  }
}

/** Returns the price table of the data endpoints. */
export const catalogue = (overrides: ReadonlyMap<string, Availability> = new Map()) => dataEndpoints.map((endpoint) => catalogueLine(endpoint, overrides))

/** Returns the price table of the account endpoints. */
export const accountCatalogue = (overrides: ReadonlyMap<string, Availability> = new Map()) =>
  accountEndpoints.map((endpoint) => catalogueLine(endpoint, overrides))

/** Returns true if an endpoint has this id. */
export const isEndpointId = (id: string): boolean => allEndpoints.some((endpoint) => endpoint.id === id)

/** Returns the ids and names, such as `GET /rates`, of all endpoints. */
export const endpointNames = () => allEndpoints.map(({ id, method, path }) => ({ id, name: `${method} ${path}` }))

/** Row of the price table. */
export type CatalogueLine = Readonly<ReturnType<typeof catalogueLine>>

/** Every endpoint that can appear in the request log, with the number that the log stores. Partner API endpoints have their full path. */
export const operations: readonly { readonly no: number; readonly id: string; readonly method: string; readonly path: string; readonly price: Price }[] = [
  ...allEndpoints,
  ...legacyEndpoints.map(({ no, id, method, path, price }) => ({ no, id, method, path: `/api/v1${path}`, price })),
]

/** Returns the number of endpoints that are declared as available to test keys, ignoring overrides. */
export function callableByTestKeys(): number {
  return dataEndpoints.filter((endpoint) => endpoint.live !== 'coming-soon').length
}

/** Returns how many endpoints are declared as open to live keys (`of`), and how many of those the plan includes (`callable`). Ignores overrides. */
export function getReach(plan: Plan): { callable: number; of: number } {
  const live = dataEndpoints.filter((endpoint) => endpoint.live === 'open')
  return { callable: live.filter((endpoint) => endpoint.plan === undefined || includesPlan(plan, endpoint.plan)).length, of: live.length }
}

/** Returns the paths of the endpoints that are declared as open to live keys but need a higher plan. */
export const pathsOutside = (plan: Plan): string[] =>
  dataEndpoints.filter((endpoint) => endpoint.live === 'open' && endpoint.plan !== undefined && !includesPlan(plan, endpoint.plan)).map(({ path }) => path)

/** Returns every endpoint in catalogue order. */
export function adminEndpoints(overrides: ReadonlyMap<string, Availability>) {
  return allEndpoints.map((endpoint) => ({
    id: endpoint.id,
    /** Method and path, such as `GET /rates`. */
    name: `${endpoint.method} ${endpoint.path}`,
    summary: endpoint.summary,
    /** Price in credits: `1 credit per row`, `5 credits` or `free`. */
    cost: describePrice(endpoint.price),
    /** Lowest plan that a live key needs; null if any plan is enough. */
    plan: endpoint.plan === undefined ? null : plans[endpoint.plan].label,
    /** Declared availability. */
    catalogue: endpoint.live,
    /** Administrator's override; null if there is none. */
    override: overrides.get(endpoint.id) ?? null,
    now: availabilityNow(endpoint, overrides),
    /** True if the endpoint has no handler yet; it is then coming soon regardless of the override. */
    isPlanned: endpoint.kind === 'planned',
  }))
}

/** Endpoint as shown in the admin area, where its availability is set. */
export type AdminEndpoint = Readonly<ReturnType<typeof adminEndpoints>[number]>
