import type { AccountType } from '#server/api/contract/account-types.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { starterCredits } from '#server/api/contract/plans.ts'
import { describePrice } from '#server/api/contract/prices.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import type { SavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { pageContext } from './page-context.ts'

const limit = 3
const fields = ['provider', 'accountName', 'rate', 'boostDuration', 'matchReasons'] as const satisfies readonly (keyof SavingsProduct)[]

/** Example call of the rates list with its response to a test key. */
export type SampleAnswer = {
  /** Path and query below the version. */
  readonly target: string
  /** Price with a live key. */
  readonly cost: string
  readonly body: { readonly data: readonly object[]; readonly meta: object }
}

function trim(row: SavingsProduct): object {
  return Object.fromEntries(fields.map((field) => [field, row[field]]))
}

/**
 * Runs the sample call with the endpoint's handler on the sample dataset. Caller-specific values (request id, balance, cursor) are an ellipsis or those of a
 * new account.
 */
export async function sampleAnswer(sample: Context['market'], type: AccountType, generatedAt: string): Promise<SampleAnswer> {
  const page = (await listRates.read({ type }, { limit, after: null }, pageContext(sample, 'test'))) as { rows: SavingsProduct[]; more: boolean }
  const meta = {
    requestId: 'req_…',
    generatedAt,
    creditsCharged: 0,
    creditsBalance: starterCredits,
    attribution,
    limit,
    nextCursor: page.more ? '…' : null,
    sample: true,
  }
  return {
    target: `/rates?type=${type}&limit=${limit}&fields=${fields.join(',')}`,
    cost: describePrice(listRates.price),
    body: { data: page.rows.map(trim), meta },
  }
}
