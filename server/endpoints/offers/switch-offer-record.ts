import { z } from 'zod'
import { twoDecimals } from '../../contract/formats.ts'
import { accountKinds, bonusTypes, offerStatus, offerStatuses, payInFrequencies, type SwitchOffer } from '../../market/switch-offer.ts'
import type { Context } from '../define.ts'
import { absolute, day, logoUrl, money, orNull, updatedAt } from '../providers/record-fields.ts'

const days = (meaning: string) => z.int().nullable().describe(`${meaning} In days; null when not asked for.`)

/** A switch offer as callers read it, and as the event `switch_offer.changed` carries it. */
export const SwitchOfferRecord = z.object({
  offerKey: z.string().describe('Stable id of the offer.'),
  provider: z.string().describe('Display name of the provider.'),
  providerSlug: z.string().nullable().describe('Slug of the provider, or null when it is none of the rates data.'),
  logoUrl,
  accountName: z.string().describe('Name of the account.'),
  accountKind: z.enum(accountKinds).describe('Who the account is for.'),
  bonusAmount: money('What is paid for the switch.'),
  bonusType: z.enum(bonusTypes).describe('In what form.'),
  totalValue: money('Bonus and the extras of the first year together; null when the extras have no price.').nullable(),
  extraBenefits: z.array(z.string()).describe('What comes with it, in plain words.'),
  minPayIn: money('What has to be paid in; null when nothing has to.').nullable(),
  payInWithinDays: days('Time to pay it in.'),
  payInFrequency: z.enum(payInFrequencies).nullable().describe('Whether to pay it in once or each month; null when nothing has to be.'),
  minDirectDebits: z.int().describe('Direct debits that have to be active.'),
  directDebitsMustTransfer: z.boolean().describe('Whether they have to come over in the switch.'),
  minCardPayments: z.int().describe('Card payments that have to be made.'),
  cardPaymentsWithinDays: days('Time to make them.'),
  digitalLoginRequired: z.boolean().describe('Whether one has to log in online or in the app.'),
  monthlyFee: money('Fee of the account a month.'),
  minAnnualIncome: money('Income a year that is asked for; null when none is.').nullable(),
  switchWithinDays: days('Time to complete the switch.'),
  fullSwitchRequired: z.boolean().describe('Whether it has to be a full switch, which closes the old account.'),
  cassParticipant: z.boolean().describe('Whether the switch goes through the Current Account Switch Service.'),
  payoutWithinDays: days('Time in which the bonus is paid once the conditions are met.'),
  startDate: day('First day of the offer; a later day than today is that of an announced one.'),
  endDate: day('Last day of the offer; null: until further notice.').nullable(),
  newCustomersOnly: z.boolean().describe('Whether only new customers may take it.'),
  excludedIfHeldSince: day('Whoever held an account there on or after this day is excluded; null: nobody for that.').nullable(),
  previousBonusExcluded: z.boolean().describe('Whether an earlier bonus excludes.'),
  previousBonusSince: day('Only bonuses on or after this day exclude; null: any.').nullable(),
  eligibility: z.array(z.string()).describe('Who can have it, in plain words.'),
  exclusions: z.array(z.string()).describe('Who cannot, in plain words.'),
  termsUrl: z.url().describe('Terms of the offer.'),
  status: z.enum(offerStatuses).describe('Whether it can be taken today by the date in London; `ending-soon` within the last 14 days.'),
  updatedAt,
})

export type SwitchOfferRecord = z.infer<typeof SwitchOfferRecord>

type Part = Partial<SwitchOfferRecord>

/** What has to be done for the bonus. */
function toConditions(offer: SwitchOffer) {
  return {
    minPayIn: orNull(offer.minPayInPence),
    payInWithinDays: offer.payInWithinDays,
    payInFrequency: offer.payInFrequency,
    minDirectDebits: offer.minDirectDebits,
    directDebitsMustTransfer: offer.directDebitsMustTransfer,
    minCardPayments: offer.minCardPayments,
    cardPaymentsWithinDays: offer.cardPaymentsWithinDays,
    digitalLoginRequired: offer.digitalLoginRequired,
    monthlyFee: twoDecimals(offer.monthlyFeePence),
    minAnnualIncome: orNull(offer.minAnnualIncomePence),
    switchWithinDays: offer.switchWithinDays,
    fullSwitchRequired: offer.fullSwitchRequired,
    cassParticipant: offer.cassParticipant,
    payoutWithinDays: offer.payoutWithinDays,
  } satisfies Part
}

/** Who can have it, and until when. */
function toEligibility(offer: SwitchOffer) {
  return {
    startDate: offer.startDate,
    endDate: offer.endDate,
    newCustomersOnly: offer.newCustomersOnly,
    excludedIfHeldSince: offer.excludedIfHeldSince,
    previousBonusExcluded: offer.previousBonusExcluded,
    previousBonusSince: offer.previousBonusSince,
    eligibility: [...offer.eligibility],
    exclusions: [...offer.exclusions],
  } satisfies Part
}

/** The read model in the words of the contract, as of a day. */
export function toSwitchOffer(offer: SwitchOffer, today: string, { publicUrl }: Pick<Context, 'publicUrl'>): SwitchOfferRecord {
  return {
    offerKey: offer.offerKey,
    provider: offer.provider,
    providerSlug: offer.providerSlug,
    logoUrl: absolute(offer.logoPath, publicUrl),
    accountName: offer.accountName,
    accountKind: offer.accountKind,
    bonusAmount: twoDecimals(offer.bonusPence),
    bonusType: offer.bonusType,
    totalValue: orNull(offer.totalValuePence),
    extraBenefits: [...offer.extraBenefits],
    ...toConditions(offer),
    ...toEligibility(offer),
    termsUrl: offer.termsUrl,
    status: offerStatus(offer.endDate, today),
    updatedAt: offer.updatedAt,
  }
}
