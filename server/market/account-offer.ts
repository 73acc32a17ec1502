export const currentAccountTypes = ['current-account', 'packaged', 'premium', 'student', 'graduate', 'children', 'basic'] as const

export type CurrentAccountType = (typeof currentAccountTypes)[number]

/** Offer on a current account. Rates in hundredths of a percent, amounts in pence, dates in ISO 8601. Null means unknown or none. */
export type AccountOffer = {
  readonly offerKey: string
  readonly provider: string
  readonly providerSlug: string | null
  readonly logoPath: string | null
  readonly accountName: string
  readonly accountType: CurrentAccountType
  readonly headline: string
  readonly creditInterestBp: number | null
  readonly creditInterestMaxBalancePence: number | null
  readonly cashbackBp: number | null
  readonly cashbackCategories: readonly string[]
  /** Maximum cashback per month. */
  readonly cashbackCapPence: number | null
  readonly monthlyFeePence: number
  readonly overdraftBp: number | null
  readonly overdraftInterestFreePence: number | null
  readonly introductoryPeriod: string | null
  readonly minPayInPence: number | null
  readonly minDirectDebits: number | null
  readonly linkedSaverBp: number | null
  readonly startDate: string
  /** Last day of the offer; null if it has no end date. */
  readonly endDate: string | null
  readonly newCustomersOnly: boolean
  readonly termsUrl: string
  readonly updatedAt: string
}
