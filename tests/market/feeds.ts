import { readFeed } from '#server/market/import/read-feed.ts'
import { type FeedRecord, validateFeed } from '#server/market/import/validate-feed.ts'

/** Feed record. The functions below build one with default values, which tests override. */
export type Line = Record<string, unknown>

export const provider = (slug: string, facts: Line = {}): Line => ({
  kind: 'provider',
  slug,
  name: `${slug} Bank`,
  legalName: `${slug} Bank plc (fictional)`,
  providerType: 'bank',
  website: `https://${slug}.example/`,
  protectionScheme: 'FSCS (test provider)',
  protectionLimit: '120000.00',
  licenceGroup: slug,
  colour: '#1F3A5F',
  ...facts,
})

export const product = (sourceKey: string, facts: Line = {}): Line => ({
  kind: 'product',
  sourceKey,
  providerSlug: 'harrow',
  accountName: 'Easy Access Saver',
  accountType: 'easy-access',
  rate: '4.50',
  baseRate: '3.25',
  boostRate: '1.25',
  boostDuration: '12 months',
  interestPaid: 'Annually',
  interestType: 'Variable',
  access: 'Withdraw at any time',
  minBalance: '1.00',
  maxBalance: '85000.00',
  fscsDetails: 'Test provider: an FSCS-protected bank would cover up to £120,000 per person.',
  url: 'https://harrow.example/savings/easy-access-saver',
  ...facts,
})

export const card = (sourceKey: string, facts: Line = {}): Line => ({
  kind: 'card',
  sourceKey,
  list: 'rewards',
  name: 'Cashback Card',
  provider: 'Harrow Bank',
  providerSlug: 'harrow',
  network: 'visa',
  cardType: 'credit',
  annualFee: '25.00',
  representativeApr: '29.90',
  fxFee: '2.99',
  rewardType: 'cashback',
  earnRate: '0.50',
  purchaseRate: '24.90',
  representativeExample: 'Test card: the representative APR is 29.90% (variable).',
  ...facts,
})

export const travelCard = (sourceKey: string, facts: Line = {}): Line => ({
  kind: 'card',
  sourceKey,
  list: 'travel',
  name: 'Travel Card',
  provider: 'Harrow Bank',
  providerSlug: 'harrow',
  network: 'mastercard',
  cardType: 'debit',
  fxFee: '1.00',
  atmFeePercent: '0.00',
  atmFeeMinimum: '0.00',
  exchangeRateSource: 'mastercard',
  supportedCurrencies: 'all',
  ...facts,
})

export const switchOffer = (offerKey: string, facts: Line = {}): Line => ({
  kind: 'switch_offer',
  offerKey,
  provider: 'Harrow Bank',
  providerSlug: 'harrow',
  accountName: 'Current Account',
  accountKind: 'personal',
  bonusAmount: '175.00',
  bonusType: 'cash',
  startDate: '2026-09-07',
  termsUrl: 'https://harrow.example/switch',
  ...facts,
})

export const accountOffer = (offerKey: string, facts: Line = {}): Line => ({
  kind: 'account_offer',
  offerKey,
  provider: 'Harrow Bank',
  providerSlug: 'harrow',
  accountName: 'Current Account',
  accountType: 'current-account',
  headline: '3.00% AER for a year',
  startDate: '2026-09-07',
  termsUrl: 'https://harrow.example/account',
  ...facts,
})

export const survey = (providerSlug: string, region: string, facts: Line = {}): Line => ({
  kind: 'service_quality',
  providerSlug,
  region,
  survey: 'Test survey',
  publisher: 'Nobody',
  periodStart: '2025-07-01',
  periodEnd: '2026-06-30',
  publishedAt: '2026-08-15',
  providersRanked: 17,
  overall: { percent: 81, rank: 1, rankOf: 17 },
  methodologyUrl: 'https://survey.example/method',
  ...facts,
})

export const ndjson = (...lines: Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Validates a whole feed and returns its kind and the values of each record. */
export async function readWhole(text: string, fileName: string): Promise<{ kind: string; values: FeedRecord['values'][] }> {
  const { kind, batches } = await validateFeed(fileName, readFeed(text, fileName))
  const values: FeedRecord['values'][] = []
  for await (const batch of batches) values.push(...batch.map((record) => record.values))
  return { kind, values }
}
