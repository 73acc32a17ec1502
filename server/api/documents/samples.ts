import { starterCredits } from '#server/api/contract/access.ts'
import type { AccountType } from '#server/api/contract/account-types.ts'
import type { Page } from '#server/api/contract/endpoint.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { describePrice, type Price } from '#server/api/contract/price-kinds.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { getRate } from '#server/api/endpoints/rates/get-rate.endpoint.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { listReferenceProviders } from '#server/api/endpoints/reference/list-reference-providers.endpoint.ts'
import { ping } from '#server/api/endpoints/service/ping.endpoint.ts'
import { pageContext } from './markets.ts'

/** Number of rows in the sample call. */
export const sampleLimit = 3
const fields = ['provider', 'accountName', 'rate', 'boostDuration', 'matchReasons'] as const satisfies readonly (keyof SavingsProduct)[]

function trim(row: SavingsProduct): object {
  return Object.fromEntries(fields.map((field) => [field, row[field]]))
}

/**
 * Runs the sample call with the endpoint's handler on the sample dataset. Caller-specific values (request id, balance, cursor) are replaced with an ellipsis or
 * with those of a new account.
 */
export async function sampleAnswer(sample: Context['market'], type: AccountType, generatedAt: string) {
  const page = (await listRates.read({ type }, { limit: sampleLimit, after: null }, pageContext(sample, 'test'))) as Page<SavingsProduct>
  const meta = {
    requestId: 'req_…',
    generatedAt,
    creditsCharged: 0,
    creditsBalance: starterCredits,
    attribution,
    limit: sampleLimit,
    nextCursor: page.more ? '…' : null,
    ...(page.updatedUntil ? { updatedUntil: page.updatedUntil } : {}),
    sample: true,
  }
  return {
    /** Path after `/v1`, with the query. */
    target: `/rates?type=${type}&limit=${sampleLimit}&fields=${fields.join(',')}`,
    /** Price with a live key. */
    cost: describePrice(listRates.price),
    body: { data: page.rows.map(trim), meta },
  }
}

const path = (endpoint: { readonly method: string; readonly path: string }) => `${endpoint.method} ${endpoint.path}`
const cost = (price: Price, rows: number) => (price.per === 'row' ? price.credits * rows : price.credits)

/**
 * Returns an example statement of an account that spends its starter credits: calls and credits, each with the balance after it, computed from the current
 * prices.
 */
export function workedExample() {
  const calls: readonly [what: string, answer: string, credits: number][] = [
    [`${path(listRates)}?type=easy-access&limit=5`, '200, 5 rows', cost(listRates.price, 5)],
    ['Same call with If-None-Match', '304, unchanged', 0],
    [`${path(listRates)}?tpye=notice`, '400, suggests “type”', 0],
    [path(getRate), '200, one product', cost(getRate.price, 1)],
    [path(listReferenceProviders), '200, whole list', cost(listReferenceProviders.price, 1)],
    [path(ping), '200', cost(ping.price, 1)],
  ]
  const lines = [{ what: 'Starter credits', answer: 'Once, when you confirm your email', credits: starterCredits, balance: starterCredits }]
  for (const [what, answer, credits] of calls) {
    const before = lines.at(-1)?.balance ?? 0
    lines.push({ what, answer, credits: credits === 0 ? 0 : -credits, balance: before - credits })
  }
  return lines
}
