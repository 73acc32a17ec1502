/** Lines of feeds with plain facts; tests change what they are about. */
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
  ...facts,
})

export const ndjson = (...lines: Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
