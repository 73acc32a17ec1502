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

/** A call of the rates list that anyone may try, and what a test key gets for it. */
export type SampleAnswer = {
  /** Path under the version, with its query. */
  readonly target: string
  /** What it would cost with a live key. */
  readonly cost: string
  readonly body: { readonly data: readonly object[]; readonly meta: object }
}

function trim(row: SavingsProduct): object {
  return Object.fromEntries(fields.map((field) => [field, row[field]]))
}

/**
 * Answers the sample call from the sample dataset by the endpoint's own handler. What belongs to a caller (request id, balance, cursor) stands
 * as an ellipsis or as it would be in a new account.
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
