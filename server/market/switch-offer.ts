import type { ListOrder } from './walk.ts'

export const accountKinds = ['personal', 'joint', 'student', 'business'] as const

export type AccountKind = (typeof accountKinds)[number]

export const bonusTypes = ['cash', 'cashback', 'gift', 'interest-boost', 'points'] as const

export type BonusType = (typeof bonusTypes)[number]

export const payInFrequencies = ['once', 'monthly'] as const

export type PayInFrequency = (typeof payInFrequencies)[number]

export const offerStatuses = ['live', 'ending-soon', 'ended'] as const

export type OfferStatus = (typeof offerStatuses)[number]

/** What a provider pays to those who switch their current account to it. Amounts are pence, days of a calendar ISO dates. */
export type SwitchOffer = {
  readonly offerKey: string
  readonly provider: string
  /** Null when the provider is none of the rates data. */
  readonly providerSlug: string | null
  readonly logoPath: string | null
  readonly accountName: string
  readonly accountKind: AccountKind
  readonly bonusPence: number
  readonly bonusType: BonusType
  readonly totalValuePence: number | null
  readonly extraBenefits: readonly string[]
  readonly minPayInPence: number | null
  readonly payInWithinDays: number | null
  readonly payInFrequency: PayInFrequency | null
  readonly minDirectDebits: number
  readonly directDebitsMustTransfer: boolean
  readonly minCardPayments: number
  readonly cardPaymentsWithinDays: number | null
  readonly digitalLoginRequired: boolean
  readonly monthlyFeePence: number
  readonly minAnnualIncomePence: number | null
  readonly switchWithinDays: number | null
  readonly fullSwitchRequired: boolean
  readonly cassParticipant: boolean
  readonly payoutWithinDays: number | null
  readonly startDate: string
  /** The last day; null: until further notice. */
  readonly endDate: string | null
  readonly newCustomersOnly: boolean
  readonly excludedIfHeldSince: string | null
  readonly previousBonusExcluded: boolean
  readonly previousBonusSince: string | null
  readonly eligibility: readonly string[]
  readonly exclusions: readonly string[]
  readonly termsUrl: string
  readonly updatedAt: string
}

/** Days before the last day from which an offer counts as ending soon. */
const soonDays = 14
const dayMs = 86_400_000

/** Whether an offer can be taken on a day, by its last day. Both are ISO dates. */
export function offerStatus(endDate: string | null, today: string): OfferStatus {
  if (endDate === null) return 'live'
  if (endDate < today) return 'ended'
  return Date.parse(endDate) - Date.parse(today) <= soonDays * dayMs ? 'ending-soon' : 'live'
}

/** Highest bonus first; its places are pence. */
export const bonusOrder: ListOrder<SwitchOffer, number> = {
  placeOf: ({ bonusPence }) => bonusPence,
  keyOf: ({ offerKey }) => offerKey,
  compare: (a, b) => b - a,
}
