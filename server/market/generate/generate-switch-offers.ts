import { grouped } from '../decimal.ts'
import type { AccountKind } from '../offers.ts'
import type { GeneratedProvider } from './generate-providers.ts'
import type { Random } from './random.ts'

/** Switch offer as a feed record. */
export type GeneratedSwitchOffer = Readonly<Record<string, unknown>> & { readonly kind: 'switch_offer'; readonly offerKey: string }

const accountNames: Record<AccountKind, readonly string[]> = {
  personal: ['Everyday Current Account', 'Current Account', 'Bills Account', 'Plus Current Account'],
  joint: ['Joint Current Account'],
  student: ['Student Account'],
  business: ['Business Current Account'],
}

const startDays = ['2025-09-18', '2026-01-12', '2026-03-02', '2026-06-01', '2026-09-07', '2026-10-19']
/** Most offers have no end date, so that a market from an older release still has open offers. */
const endDays = [null, null, null, null, null, '2026-12-31', '2027-01-31', '2027-03-31']

const pounds = (amount: number) => `£${grouped(amount)}.00`
const money = (amount: number) => `${amount}.00`

/** Display text of each date that an exclusion can mention. Not formatted by Intl, whose output can differ between machines. */
const longDays = {
  '2020-01-01': '1 January 2020',
  '2022-06-01': '1 June 2022',
  '2025-01-01': '1 January 2025',
  '2025-10-01': '1 October 2025',
  '2026-01-01': '1 January 2026',
} as const

type KnownDay = keyof typeof longDays

function drawExtras(bonus: number, random: Random): { totalValue: string | null; extraBenefits: string[] } {
  const extra = random.pick([
    [0, []],
    [0, []],
    [50, ['A voucher of £50.00 after 12 months']],
    [60, ['Cashback of 1% on household bills for 12 months, up to £5.00 a month']],
    [0, ['A linked regular saver']],
  ] as const)
  const [worth, extraBenefits] = extra
  return { totalValue: worth === 0 ? null : money(bonus + worth), extraBenefits: [...extraBenefits] }
}

function drawConditions(random: Random) {
  const minPayIn = random.pick([500, 800, 1_000, 1_000, 1_500, 1_750])
  const days = random.pick([30, 31, 45, 60])
  const isMonthly = random.chance(25)
  const debits = random.pick([0, 2, 2, 2, 3])
  const payments = random.pick([0, 0, 1, 5, 10])
  const hasLogin = random.chance(35)
  const transfers = debits > 0 && random.chance(60)
  const sentences = [
    isMonthly ? `Pay in ${pounds(minPayIn)} each month` : `Pay in ${pounds(minPayIn)} within ${days} days`,
    ...(debits > 0 ? [`Have ${debits} active direct debits${transfers ? ' that come over in the switch' : ''}`] : []),
    ...(payments > 0 ? [`Make ${payments === 1 ? 'a card payment' : `${payments} card payments`} within ${days} days`] : []),
    ...(hasLogin ? ['Log in online or in the app'] : []),
  ]
  const fields = {
    minPayIn: money(minPayIn),
    payInWithinDays: isMonthly ? null : days,
    payInFrequency: isMonthly ? 'monthly' : 'once',
    minDirectDebits: debits,
    directDebitsMustTransfer: transfers,
    minCardPayments: payments,
    cardPaymentsWithinDays: payments > 0 ? days : null,
    digitalLoginRequired: hasLogin,
  }
  return { fields, sentences }
}

function drawExclusions(provider: string, word: string, random: Random) {
  const heldSince = random.pick<KnownDay | null>([null, '2025-01-01', '2025-10-01', '2026-01-01'])
  const isBarred = random.chance(70)
  const since = random.pick<KnownDay | null>([null, '2020-01-01', '2022-06-01'])
  const held = heldSince === null ? [] : [`Held a current account with ${provider} on or after ${longDays[heldSince]}`]
  const paid = isBarred ? [since === null ? `Ever had a switch bonus of ${provider}` : `Had a switch bonus of ${provider} on or after ${longDays[since]}`] : []
  return {
    newCustomersOnly: heldSince !== null,
    excludedIfHeldSince: heldSince,
    previousBonusExcluded: isBarred,
    previousBonusSince: isBarred ? since : null,
    exclusions: [...held, ...paid, `Everyone: this is an invented offer of the ${word} market`],
  }
}

function drawOffer(provider: GeneratedProvider, accountKind: AccountKind, word: string, random: Random): GeneratedSwitchOffer {
  const bonus = random.pick([100, 125, 150, 150, 175, 175, 180, 200])
  const { fields, sentences } = drawConditions(random)
  const age = accountKind === 'student' ? 'Be 18 or over and in higher education' : 'Be 18 or over and live in the UK'
  return {
    kind: 'switch_offer',
    offerKey: `${provider.slug}-switch-${accountKind}`,
    provider: provider.name,
    providerSlug: provider.slug,
    accountName: random.pick(accountNames[accountKind]),
    accountKind,
    bonusAmount: money(bonus),
    bonusType: 'cash',
    ...drawExtras(bonus, random),
    ...fields,
    monthlyFee: accountKind === 'personal' ? random.pick(['0.00', '0.00', '0.00', '3.00', '5.00']) : '0.00',
    minAnnualIncome: null,
    switchWithinDays: random.pick([30, 45, 60, null]),
    fullSwitchRequired: true,
    cassParticipant: true,
    payoutWithinDays: random.pick([7, 10, 14, 30, 60, 90]),
    startDate: random.pick(startDays),
    endDate: random.pick(endDays),
    eligibility: ['Switch with the Current Account Switch Service and close the old account', ...sentences, age],
    ...drawExclusions(provider.name, word, random),
    termsUrl: `https://${provider.slug}.example/current-accounts/switch-offer`,
  }
}

/** Generates switch offers sorted by key: three in four banks in the switch service have one, some have two. */
export function generateSwitchOffers(banks: readonly GeneratedProvider[], word: string, random: Random): GeneratedSwitchOffer[] {
  const offers = banks.flatMap((bank, index) => {
    const second = random.chance(35) ? random.pick<AccountKind>(['student', 'joint', 'business']) : null
    const kinds: AccountKind[] = [...(index % 4 === 3 ? [] : (['personal'] as const)), ...(second === null ? [] : [second])]
    return kinds.map((accountKind) => drawOffer(bank, accountKind, word, random))
  })
  return offers.sort((a, b) => (a.offerKey < b.offerKey ? -1 : 1))
}
