import { dayMs } from '#server/api/contract/dates.ts'
import type { ListOrder } from './keyset-pager.ts'

export const currentAccountTypes = ['current-account', 'packaged', 'premium', 'student', 'graduate', 'children', 'basic'] as const

export type CurrentAccountType = (typeof currentAccountTypes)[number]

/** Offer on a current account. Rates in basis points, amounts in pence, dates in ISO 8601. Null means unknown or none. */
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

export const accountKinds = ['personal', 'joint', 'student', 'business'] as const

export type AccountKind = (typeof accountKinds)[number]

export const bonusTypes = ['cash', 'cashback', 'gift', 'interest-boost', 'points'] as const

export type BonusType = (typeof bonusTypes)[number]

export const payInFrequencies = ['once', 'monthly'] as const

export type PayInFrequency = (typeof payInFrequencies)[number]

export const offerStatuses = ['live', 'ending-soon', 'ended'] as const

type OfferStatus = (typeof offerStatuses)[number]

/** Bonus for switching a current account to a provider. Amounts in pence, ISO dates. */
export type SwitchOffer = {
  readonly offerKey: string
  readonly provider: string
  /** Null if the provider isn't in the rates data. */
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
  /** Last day of the offer; null if it has no end date. */
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

/** An offer counts as ending soon from this many days before its last day. */
const soonDays = 14

/** Returns the status of an offer on a day. `endDate` is its last day, or null if it has no end date. Both are ISO dates. */
export function offerStatus(endDate: string | null, today: string): OfferStatus {
  if (endDate === null) return 'live'
  if (endDate < today) return 'ended'
  return Date.parse(endDate) - Date.parse(today) <= soonDays * dayMs ? 'ending-soon' : 'live'
}

/** Sorts switch offers by bonus, highest first. */
export const bonusOrder: ListOrder<SwitchOffer, number> = {
  sortValue: ({ bonusPence }) => bonusPence,
  getKey: ({ offerKey }) => offerKey,
  compare: (a, b) => b - a,
}
