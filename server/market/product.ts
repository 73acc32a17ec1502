import type { ProductType } from '#server/api/contract/account-types.ts'

/** Savings product. Rates in basis points (4.50% = 450), amounts in pence, times in ISO 8601 UTC. */
export type Product = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  /** Path of the provider's logo on this service; null if it has none. */
  readonly providerLogoPath: string | null
  readonly accountName: string
  readonly accountType: ProductType
  /** Always `baseRateBp + boostRateBp`. */
  readonly rateBp: number
  readonly baseRateBp: number
  /** Bonus rate; 0 without a bonus. */
  readonly boostRateBp: number
  /** Duration of the bonus, such as `12 months`; null without a bonus. */
  readonly boostDuration: string | null
  readonly interestPaid: string
  readonly interestType: string
  readonly access: string
  /** Minimum balance, inclusive. */
  readonly minBalancePence: number
  /** Maximum balance, inclusive; null if there is none. */
  readonly maxBalancePence: number | null
  readonly maxMonthlyDepositPence: number | null
  readonly termMonths: number | null
  readonly noticeDays: number | null
  readonly fscsDetails: string
  readonly newCustomersOnly: boolean
  /** URL of the product's page on the provider's website. Only the link endpoint returns it; public product records don't include it. */
  readonly url: string
  readonly urlCheckedAt: string
  readonly createdAt: string
  /** Time of the last change to any of the fields above, except `urlCheckedAt`. */
  readonly updatedAt: string
}

/** Product with plain-English reasons why it is in the result. */
export type Match = { readonly product: Product; readonly reasons: string[] }

/** Product with the URL of its page on the provider's website, as returned by the link endpoint. */
export type ProductLink = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  readonly accountName: string
  readonly url: string
  readonly checkedAt: string
}

/** The two datasets: live keys read `live`, test keys read `sample`. */
export const datasets = ['live', 'sample'] as const

export type Dataset = (typeof datasets)[number]
