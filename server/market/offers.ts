import { dayMs } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import { type ChangesQuery, getChanged, later } from './changes-query.ts'
import { type CursorPage, inOrder, KeysetPager, type ListOrder, type Move, type PageCursor } from './keyset-pager.ts'
import type { Plain } from './product.ts'
import { londonMidnight } from './sources/calendar.ts'

/** Row of an offer as served. `provider` is its display name; `providerSlug` and `logoPath` are null if the provider isn't in the rates data. */
type ServedOffer<Row> = Plain<Omit<Row, 'dataset' | 'providerName' | 'withdrawnAt' | 'createdAt'>> & {
  readonly provider: string
  readonly logoPath: string | null
  /** Time of the withdrawal; omitted if the offer is listed. */
  readonly withdrawnAt?: string
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
const bonusOrder: ListOrder<SwitchOffer, number> = {
  sortValue: ({ bonusPence }) => bonusPence,
  getKey: ({ offerKey }) => offerKey,
  compare: (a, b) => b - a,
}

/**
 * Returns the time up to which the offers of a day (ISO date) include every change; null if unknown. It is never after the end of the day, because a process
 * whose clock is slow can load an import made after midnight while its list still includes offers that ended at midnight.
 */
export function offersChangedUntil(day: string, changedAt: string | null): string | null {
  const end = new Date(londonMidnight(Date.parse(day) + dayMs) - 1).toISOString()
  return changedAt === null || changedAt < end ? changedAt : end
}

/** Returns an offer as withdrawn at the end of its last day (UK time). */
function asEnded(offer: SwitchOffer, endDate: string): SwitchOffer {
  const withdrawnAt = new Date(londonMidnight(Date.parse(endDate) + dayMs)).toISOString()
  return { ...offer, withdrawnAt, updatedAt: later(withdrawnAt, offer.updatedAt) }
}

/** Switch offers of a market, highest bonus first. */
export class SwitchOfferList {
  /** Listed offers, including ended ones. */
  readonly offers: readonly SwitchOffer[]
  readonly #withdrawn: readonly SwitchOffer[]
  readonly #pager: KeysetPager<SwitchOffer, number>

  constructor(offers: readonly SwitchOffer[], withdrawn: readonly SwitchOffer[], moves: readonly Move<number>[]) {
    this.offers = inOrder(offers, bonusOrder)
    this.#withdrawn = withdrawn
    this.#pager = new KeysetPager(bonusOrder, moves)
  }

  /** Returns a page of the offers that have not ended by a day (ISO date). With withdrawn offers, ended ones are listed too. */
  page(day: string, after: PageCursor<number> | null, limit: number, changes: ChangesQuery): CursorPage<SwitchOffer, number> {
    const { open = [], ended = [] } = Object.groupBy(this.offers, ({ endDate }) => (offerStatus(endDate, day) === 'ended' ? 'ended' : 'open'))
    const gone = [...this.#withdrawn, ...ended.flatMap((offer) => (offer.endDate === null ? [] : [asEnded(offer, offer.endDate)]))]
    const rows = changes.withWithdrawn ? inOrder([...open, ...gone], bonusOrder) : open
    return this.#pager.page(getChanged(rows, changes), after, limit)
  }
}
