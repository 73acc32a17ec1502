import { z } from 'zod'
import { perRow } from '../../contract/prices.ts'
import { pageAfter } from '../../market/page-after.ts'
import { type BonusKey, compareBonus, offerStatus } from '../../market/switch-offer.ts'
import { today } from '../calculators/tax-year-parameter.ts'
import { defineList } from '../define.ts'
import { SwitchOfferRecord, toSwitchOffer } from './switch-offer-record.ts'

/** The place that a cursor continues after: the bonus and, among equal ones, the key. */
function bonusAfter(key: string | null): BonusKey | null {
  if (key === null) return null
  const space = key.indexOf(' ')
  return { bonusPence: Number(key.slice(0, space).replace('.', '')), offerKey: key.slice(space + 1) }
}

export const listSwitchOffers = defineList({
  id: 'switch-offers',
  no: 18,
  path: '/switch-offers',
  tool: 'switch_offers',
  summary: 'List what providers pay for switching a current account to them, highest bonus first.',
  description: 'Offers whose last day has passed are left out. Charged for each row returned, not for each page.',
  when: 'to find out what a bank pays for moving a current account to it, and on what terms.',
  scope: 'offers:read',
  price: perRow(1),
  live: 'open',
  sampled: true,
  input: z.object({}),
  row: SwitchOfferRecord,
  keyOf: ({ bonusAmount, offerKey }) => `${bonusAmount} ${offerKey}`,
  handle: (_input, { limit, after }, context) => {
    const [date, key] = [today(), bonusAfter(after)]
    const open = context.market.switchOffers().filter(({ endDate }) => offerStatus(endDate, date) !== 'ended')
    const { rows, more } = pageAfter(open, limit, (offer) => key === null || compareBonus(offer, key) > 0)
    return { rows: rows.map((offer) => toSwitchOffer(offer, date, context)), more }
  },
})
