import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { cardLists } from '../../market/card.ts'
import type { CardFigures } from '../../market/figures/card-figures.ts'
import { pageAfter } from '../../market/page-after.ts'
import { defineList } from '../define.ts'
import { marketAsOf, percent, percentOrNull, withheld } from './statistic-fields.ts'

const CardStat = z.object({
  category: z.enum(cardLists).describe('The list that carries the cards.'),
  cardCount: z.int().describe('Cards on it.'),
  averageRepresentativeApr: percent
    .nullable()
    .describe(`Mean of the representative APRs of its credit cards, in percent, rounded half up to two decimals; ${withheld}`),
  lowestFxFee: percent.nullable().describe('Lowest charge on a payment in another currency, in percent with two decimals; "0.00" is free, null without cards.'),
  feeFreeCount: z.int().describe('Cards without an annual fee.'),
  highestCashback: percent
    .nullable()
    .describe('Highest cashback on any part of the spend, in percent with two decimals; on travel cards on spending abroad. Null where no card pays any.'),
  asOf: marketAsOf,
})

const toCardStat = (row: CardFigures, asOf: string | null): z.infer<typeof CardStat> => ({
  category: row.category,
  cardCount: row.cardCount,
  averageRepresentativeApr: percentOrNull(row.averageRepresentativeAprBp),
  lowestFxFee: percentOrNull(row.lowestFxFeeBp),
  feeFreeCount: row.feeFreeCount,
  highestCashback: percentOrNull(row.highestCashbackBp),
  asOf,
})

/** Rewards, then travel; nothing stands before both. */
const placeOf = (category: string | null) => (cardLists as readonly (string | null)[]).indexOf(category)

export const listCardStats = defineList({
  id: 'market.card-stats',
  no: 27,
  path: '/market/card-stats',
  tool: 'market_card_stats',
  summary: 'List what reward cards and travel cards come to.',
  description: 'Two rows: rewards, then travel. Points, miles and vouchers are not cashback.',
  when: 'to tell what cards usually offer and charge.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({}),
  row: CardStat,
  keyOf: (row) => row.category,
  handle: (_input, { limit, after }, { market: { figures } }) => {
    const { rows, more } = pageAfter(figures.cards(), limit, (row) => placeOf(row.category) > placeOf(after))
    return { rows: rows.map((row) => toCardStat(row, figures.asOf)), more }
  },
})
