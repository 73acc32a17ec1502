import { z } from 'zod'
import { offersChangedUntil } from '#server/market/offers.ts'
import { today } from '../calculators/fields.ts'
import { changeParameters, getUpdatedUntil, toChanges } from '../changes.ts'
import { defineList } from '../define.ts'
import { afterHundredths, hundredthsKey } from '../list-cursor.ts'
import { SwitchOfferRecord, toSwitchOffer } from './offer-records.ts'

export const listSwitchOffers = defineList({
  id: 'switch-offers',
  no: 18,
  path: '/switch-offers',
  tool: 'switch_offers',
  summary: 'List bonuses for switching current accounts, highest first.',
  description: 'Ended offers are omitted. Charged per row, not per page.',
  when: 'to find bonuses for switching a current account, and their terms.',
  scope: 'offers:read',
  price: { credits: 1, per: 'row' },
  live: 'open',
  sampled: true,
  input: z.object(changeParameters),
  row: SwitchOfferRecord,
  getKey: ({ bonusAmount, offerKey }) => `${bonusAmount} ${offerKey}`,
  handle: (input, page, context) => {
    const { market } = context
    const date = today()
    const after = afterHundredths(page.after)
    const { rows, keys, more } = market.openSwitchOffers(date, after, page.limit, toChanges(input, market))
    const updatedUntil = getUpdatedUntil(after, offersChangedUntil(date, market.changedAt))
    const records = rows.map((offer) => toSwitchOffer(offer, date, context))
    return { rows: records, keys: keys.map((key) => hundredthsKey({ ...key, updatedUntil })), more, updatedUntil }
  },
})
