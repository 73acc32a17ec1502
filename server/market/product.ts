import type { ProductType } from '../contract/account-types.ts'

/**
 * A savings product as it stands. Rates are whole hundredths of a percent (4.50 % = 450), amounts whole pence,
 * times ISO 8601 UTC.
 */
export type Product = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  /** Path of the provider's logo on this service; null when it has none. */
  readonly providerLogoPath: string | null
  readonly accountName: string
  readonly accountType: ProductType
  /** Always `baseRateBp + boostRateBp`. */
  readonly rateBp: number
  readonly baseRateBp: number
  /** The bonus part; 0 without a bonus. */
  readonly boostRateBp: number
  /** How long the bonus lasts, like `12 months`; null without a bonus. */
  readonly boostDuration: string | null
  readonly interestPaid: string
  readonly interestType: string
  readonly access: string
  /** Smallest balance that is accepted, inclusive. */
  readonly minBalancePence: number
  /** Largest balance that is accepted, inclusive; null without a maximum. */
  readonly maxBalancePence: number | null
  readonly maxMonthlyDepositPence: number | null
  readonly termMonths: number | null
  readonly noticeDays: number | null
  readonly fscsDetails: string
  readonly newCustomersOnly: boolean
  /** The provider's own page. It is sold only through the link endpoint and is no part of the product that callers see. */
  readonly url: string
  readonly urlCheckedAt: string
  readonly createdAt: string
  /** The last change of anything above but `urlCheckedAt`. */
  readonly updatedAt: string
}

/** A product with the plain-language facts on why it is in the result. */
export type Match = { readonly product: Product; readonly reasons: string[] }

/** What the link endpoint gives. */
export type ProductLink = {
  readonly sourceKey: string
  readonly provider: string
  readonly providerSlug: string
  readonly accountName: string
  readonly url: string
  readonly checkedAt: string
}
