export const currentAccountTypes = ['current-account', 'packaged', 'premium', 'student', 'graduate', 'children', 'basic'] as const

export type CurrentAccountType = (typeof currentAccountTypes)[number]

/**
 * What a current account offers to those who open it. Rates are hundredths of a percent, amounts pence, days ISO dates, null is unknown
 * or none.
 */
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
  /** Most that is paid in a month. */
  readonly cashbackCapPence: number | null
  readonly monthlyFeePence: number
  readonly overdraftBp: number | null
  readonly overdraftInterestFreePence: number | null
  readonly introductoryPeriod: string | null
  readonly minPayInPence: number | null
  readonly minDirectDebits: number | null
  readonly linkedSaverBp: number | null
  readonly startDate: string
  /** The last day; null: until further notice. */
  readonly endDate: string | null
  readonly newCustomersOnly: boolean
  readonly termsUrl: string
  readonly updatedAt: string
}
