import { grouped } from '../decimal.ts'
import type { CurrentAccountType } from '../offers.ts'
import type { GeneratedProvider } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Account offer as a feed record. */
export type GeneratedAccountOffer = Readonly<Record<string, unknown>> & { readonly kind: 'account_offer'; readonly offerKey: string }

type Draft = { readonly accountName: string; readonly headline: string } & Readonly<Record<string, unknown>>

const nothing = {
  creditInterestRate: null,
  creditInterestMaxBalance: null,
  cashbackRate: null,
  cashbackCategories: [],
  cashbackCap: null,
  monthlyFee: '0.00',
  overdraftRate: '39.90',
  overdraftInterestFreeAmount: null,
  introductoryPeriod: null,
  minPayIn: null,
  minDirectDebits: null,
  linkedSaverRate: null,
}

/** Functions that generate the name and terms of an offer, by type of current account. */
const drafts: Record<Exclude<CurrentAccountType, 'graduate' | 'basic'>, (random: Random) => Draft> = {
  'current-account': (random) => {
    const rate = random.pick(['2.00', '3.00', '4.00', '5.00'])
    const balance = random.pick([1_500, 2_000, 3_000])
    return {
      ...nothing,
      accountName: random.pick(['Interest Current Account', 'Everyday Interest Account']),
      headline: `${rate}% AER on up to £${grouped(balance)}.00 for 12 months`,
      creditInterestRate: rate,
      creditInterestMaxBalance: `${balance}.00`,
      introductoryPeriod: '12 months',
      overdraftRate: random.pick(['35.00', '38.90', '39.90']),
      minPayIn: random.pick(['800.00', '1000.00', '1500.00']),
    }
  },
  packaged: (random) => {
    const fee = random.pick(['12.00', '15.00', '18.00'])
    return {
      ...nothing,
      accountName: random.pick(['Packaged Account', 'Cover Account']),
      headline: `Travel, phone and breakdown cover for £${fee} a month`,
      monthlyFee: fee,
      overdraftInterestFreeAmount: random.pick([null, '50.00', '250.00']),
      linkedSaverRate: random.pick([null, '4.50', '5.00']),
    }
  },
  premium: (random) => {
    const rate = random.pick(['1.00', '2.00'])
    return {
      ...nothing,
      accountName: 'Bills Cashback Account',
      headline: `${rate}% cashback on household bills, up to £10.00 a month`,
      cashbackRate: rate,
      cashbackCategories: ['Energy', 'Broadband and phone', 'Council tax'],
      cashbackCap: '10.00',
      monthlyFee: random.pick(['3.00', '5.00']),
      minPayIn: '1500.00',
      minDirectDebits: 2,
      linkedSaverRate: random.pick([null, '5.50', '6.00']),
    }
  },
  student: (random) => {
    const amount = random.pick([1_000, 1_500, 2_000])
    return {
      ...nothing,
      accountName: 'Student Account',
      headline: `An overdraft of up to £${grouped(amount)}.00 without interest while you study`,
      overdraftInterestFreeAmount: `${amount}.00`,
      introductoryPeriod: '36 months',
    }
  },
  children: (random) => {
    const rate = random.pick(['2.00', '2.50', '3.00'])
    return {
      ...nothing,
      accountName: 'Young Account',
      headline: `${rate}% AER on up to £2,000.00 and a card from the age of 11`,
      creditInterestRate: rate,
      creditInterestMaxBalance: '2000.00',
      overdraftRate: null,
    }
  },
}

/** Note on every generated offer. `word` is the kind of market. */
export const offerNote = (word: string): string => `Fictional offer from the ${word} market.`

const startDays = ['2025-11-03', '2026-02-16', '2026-04-20', '2026-08-03', '2026-10-05']
const endDays = [null, null, null, null, '2027-01-31', '2027-04-05']

/** Generates account offers, sorted by key: one or two for each bank with current accounts. */
export function generateAccountOffers(banks: readonly GeneratedProvider[], word: string, random: Random): GeneratedAccountOffer[] {
  const offers = banks.flatMap(({ name, slug }) => {
    const types = random.shuffled(Object.keys(drafts) as (keyof typeof drafts)[]).slice(0, random.pick([1, 1, 2]))
    return types.map(
      (accountType): GeneratedAccountOffer => ({
        kind: 'account_offer',
        offerKey: `${slug}-${accountType}`,
        provider: name,
        providerSlug: slug,
        accountType,
        ...drafts[accountType](random),
        startDate: random.pick(startDays),
        endDate: random.pick(endDays),
        newCustomersOnly: random.chance(40),
        termsUrl: `https://${slug}.example/current-accounts/${accountType}`,
        note: offerNote(word),
      }),
    )
  })
  return offers.sort((a, b) => (a.offerKey < b.offerKey ? -1 : 1))
}
