import type { ProductType } from '#server/api/contract/account-types.ts'
import type { Prisma } from '#server/db/generated/client.ts'

type PlainValue<Value> = Value extends bigint ? number : Value extends Date ? string : Value

/** Row with dates and times as ISO 8601 strings and amounts as numbers. The conversion is exact because all amounts are far below 2^53. */
export type Plain<Row> = { readonly [Field in keyof Row]: PlainValue<Row[Field]> }

/** Interest payment frequencies. */
export const interestPayments = ['Daily', 'Monthly', 'Quarterly', 'Half-yearly', 'Annually', 'At maturity'] as const

/** Product columns that are not part of the product read model. */
export const productOmit = { dataset: true, withdrawnAt: true } as const

/**
 * Savings product. Rates in basis points (4.50% = 450), amounts in pence, times in ISO 8601 UTC; null means none. `rateBp` is always `baseRateBp +
 * boostRateBp`, and the balance limits are inclusive. `url` is the product's page on the provider's website: only the link endpoint returns it.
 * `withdrawalsPerYear` is 0 if none are allowed, and null if no limit is stated. `updatedAt` is the time of the last change to any column other than
 * `urlCheckedAt`.
 */
export type Product = Plain<Omit<Prisma.ProductModel, keyof typeof productOmit>> & {
  readonly provider: string
  /** Path of the provider's logo on this service; null if it has none. */
  readonly providerLogoPath: string | null
  /** First day of the current listing, UK time, ISO date; null if unknown. */
  readonly listedSince: string | null
  readonly accountType: ProductType
  /** Time of the withdrawal; omitted if the product is listed. */
  readonly withdrawnAt?: string
}

/** Product with plain-English reasons why it is in the result. */
export type Match = { readonly product: Product; readonly reasons: string[] }

/** Product with the URL of its page on the provider's website, as returned by the link endpoint. */
export type ProductLink = Pick<Product, 'sourceKey' | 'provider' | 'providerSlug' | 'accountName' | 'url'> & { readonly checkedAt: string }

/** The two datasets: live keys read `live`, test keys read `sample`. */
export const datasets = ['live', 'sample'] as const

export type Dataset = (typeof datasets)[number]
