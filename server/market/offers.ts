import { dayMs } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { ListOrder } from './keyset-pager.ts'
import type { Plain } from './product.ts'

/** Row of an offer as served. `provider` is its display name; `providerSlug` and `logoPath` are null if the provider isn't in the rates data. */
type ServedOffer<Row> = Plain<Omit<Row, 'dataset' | 'providerName' | 'withdrawnAt' | 'createdAt'>> & {
  readonly provider: string
  readonly logoPath: string | null
}

export const currentAccountTypes = ['current-account', 'packaged', 'premium', 'student', 'graduate', 'children', 'basic'] as const

export type CurrentAccountType = (typeof currentAccountTypes)[number]

/** Offer on a current account. Rates in basis points, amounts in pence, dates in ISO 8601. Null means unknown or none; `cashbackCapPence` is per month. */
export type AccountOffer = Omit<ServedOffer<Prisma.AccountOfferModel>, 'accountType' | 'cashbackCategories'> & {
  readonly accountType: CurrentAccountType
  readonly cashbackCategories: readonly string[]
}

export const accountKinds = ['personal', 'joint', 'student', 'business'] as const

export type AccountKind = (typeof accountKinds)[number]

export const bonusTypes = ['cash', 'cashback', 'gift', 'interest-boost', 'points'] as const

export const payInFrequencies = ['once', 'monthly'] as const

export const offerStatuses = ['live', 'ending-soon', 'ended'] as const

type OfferStatus = (typeof offerStatuses)[number]

type Lists = 'extraBenefits' | 'eligibility' | 'exclusions'

/** Bonus for switching a current account to a provider. Amounts in pence, ISO dates. */
export type SwitchOffer = Omit<ServedOffer<Prisma.SwitchOfferModel>, 'accountKind' | 'bonusType' | 'payInFrequency' | Lists> &
  Readonly<Record<Lists, readonly string[]>> & {
    readonly accountKind: AccountKind
    readonly bonusType: (typeof bonusTypes)[number]
    readonly payInFrequency: (typeof payInFrequencies)[number] | null
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
