import { z } from 'zod'
import { today } from '../calculators/fields.ts'
import { changeParameters, toChanges } from '../changes.ts'
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
  handle: (input, { limit, after }, context) => {
    const date = today()
    const { rows, keys, more } = context.market.openSwitchOffers(date, afterHundredths(after), limit, toChanges(input))
    return { rows: rows.map((offer) => toSwitchOffer(offer, date, context)), keys: keys.map(hundredthsKey), more }
  },
})
