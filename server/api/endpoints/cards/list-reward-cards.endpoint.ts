import { pageAfter } from '#server/market/keyset-pager.ts'
import { defineList } from '../define.ts'
import { RewardCardRecord, toRewardCard } from './card-records.ts'

export const listRewardCards = defineList({
  id: 'cards.rewards',
  no: 20,
  path: '/cards/rewards',
  tool: 'cards_rewards',
  summary: 'List reward cards and their terms.',
  description: 'Sorted by sourceKey. Charged per page, regardless of size.',
  when: 'to compare cards by cashback, points and fees.',
  scope: 'cards:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  row: RewardCardRecord,
  getKey: ({ sourceKey }) => sourceKey,
  handle: (_input, { limit, after }, context) => {
    const { rows, more } = pageAfter(context.market.rewardCards(), limit, ({ sourceKey }) => after === null || sourceKey > after)
    return { rows: rows.map((card) => toRewardCard(card, context)), more }
  },
})
