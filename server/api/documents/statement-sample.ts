import { starterCredits } from '#server/api/contract/plans.ts'
import type { Price } from '#server/api/contract/prices.ts'
import { getRate } from '#server/api/endpoints/rates/get-rate.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { listReferenceProviders } from '#server/api/endpoints/reference/list-reference-providers.endpoint.ts'
import { ping } from '#server/api/endpoints/service/ping.endpoint.ts'

/** Line of a statement: a call or a credit, its amount and the balance after it. */
export type StatementLine = { readonly what: string; readonly answer: string; readonly credits: number; readonly balance: number }

const path = (endpoint: { readonly method: string; readonly path: string }) => `${endpoint.method} ${endpoint.path}`
const cost = (price: Price, rows: number) => (price.per === 'row' ? price.credits * rows : price.credits)

/** Returns an example statement that spends the starter credits, computed from the current prices. */
export function workedExample(): StatementLine[] {
  const calls: readonly [what: string, answer: string, credits: number][] = [
    [`${path(listRates)}?type=easy-access&limit=5`, '200, 5 rows', cost(listRates.price, 5)],
    ['Same call with If-None-Match', '304, unchanged', 0],
    [`${path(listRates)}?tpye=notice`, '400, suggests “type”', 0],
    [path(getRate), '200, one product', cost(getRate.price, 1)],
    [path(listReferenceProviders), '200, whole list', cost(listReferenceProviders.price, 1)],
    [path(ping), '200', cost(ping.price, 1)],
  ]
  const lines: StatementLine[] = [{ what: 'Starter credits', answer: 'Once, when you confirm your email', credits: starterCredits, balance: starterCredits }]
  for (const [what, answer, credits] of calls) {
    const before = lines.at(-1)?.balance ?? 0
    lines.push({ what, answer, credits: credits === 0 ? 0 : -credits, balance: before - credits })
  }
  return lines
}
