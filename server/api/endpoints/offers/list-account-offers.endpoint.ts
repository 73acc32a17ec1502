import { pageAfter } from '#server/market/keyset-pager.ts'
import { offerStatus } from '#server/market/offers.ts'
import { today } from '../calculators/fields.ts'
import { defineList } from '../define.ts'
import { AccountOfferRecord, toAccountOffer } from './offer-records.ts'

export const listAccountOffers = defineList({
  id: 'account-offers',
  no: 19,
  path: '/account-offers',
  tool: 'account_offers',
  summary: 'List offers for opening a current account.',
  description: 'Sorted by offerKey; ended offers are omitted. Charged per page, regardless of size.',
  when: 'to find the benefits of opening a current account.',
  scope: 'offers:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  row: AccountOfferRecord,
  getKey: ({ offerKey }) => offerKey,
  handle: (_input, { limit, after }, context) => {
    const date = today()
    const open = context.market.accountOffers().filter(({ endDate }) => offerStatus(endDate, date) !== 'ended')
    const { rows, more } = pageAfter(open, limit, ({ offerKey }) => after === null || offerKey > after)
    return { rows: rows.map((offer) => toAccountOffer(offer, context)), more }
  },
})
