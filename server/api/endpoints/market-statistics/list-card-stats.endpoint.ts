import { z } from 'zod'
import { cardLists } from '#server/market/cards.ts'
import type { CardFigures } from '#server/market/figures/category-figures.ts'
import { pageAfter } from '#server/market/keyset-pager.ts'
import { defineList } from '../define.ts'
import { orNull, toRecord } from '../record-fields.ts'
import { marketAsOf, percent, withheld } from './statistic-fields.ts'

const CardStat = z.object({
  category: z.enum(cardLists).describe('Card list that the row summarises.'),
  cardCount: z.int().describe('Number of cards.'),
  averageRepresentativeApr: percent
    .nullable()
    .describe(`Average representative APR of the credit cards, in percent, rounded half up to two decimals; ${withheld}`),
  lowestFxFee: percent.nullable().describe('Lowest foreign transaction fee, in percent with two decimals; "0.00" if free, null if there are no cards.'),
  feeFreeCount: z.int().describe('Number of cards without an annual fee.'),
  highestCashback: percent
    .nullable()
    .describe('Highest cashback on any part of the spend, in percent with two decimals; for travel cards, on foreign spend. Null if no card pays cashback.'),
  asOf: marketAsOf,
})

const toCardStat = (row: CardFigures, asOf: string | null) =>
  toRecord(CardStat, {
    ...row,
    averageRepresentativeApr: orNull(row.averageRepresentativeAprBp),
    lowestFxFee: orNull(row.lowestFxFeeBp),
    highestCashback: orNull(row.highestCashbackBp),
    asOf,
  })

/** Returns the sort position of a category, rewards before travel. Null sorts first, at -1. */
const getPlace = (category: string | null) => (cardLists as readonly (string | null)[]).indexOf(category)

export const listCardStats = defineList({
  id: 'market.card-stats',
  no: 27,
  path: '/market/card-stats',
  tool: 'market_card_stats',
  summary: 'Get summary statistics for reward and travel cards.',
  description: 'Two rows: rewards, then travel. Points, miles and vouchers do not count as cashback.',
  when: 'to see what cards typically offer and charge.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  row: CardStat,
  getKey: (row) => row.category,
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const { rows, more } = pageAfter(figures.cards(), limit, (row) => getPlace(row.category) > getPlace(after))
    return { rows: rows.map((row) => toCardStat(row, figures.asOf)), more }
  },
})
