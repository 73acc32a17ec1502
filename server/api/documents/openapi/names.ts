import type { registry } from '#server/api/endpoints/registry.ts'

export type Entry = (typeof registry)[number]

/** `switch_offer.changed`, `rates.list` or `Savings tax` as the words of a name. */
const wordsOf = (text: string) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `insufficient_credits` is `InsufficientCredits`. */
export const pascal = (text: string): string => wordsOf(text).map(capital).join('')

/** Name of an operation in generated clients: the id of the endpoint, `rates.list` as `ratesList`. As stable as the id. */
export function operationId({ id }: Pick<Entry, 'id'>): string {
  const name = pascal(id)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Names of the records that have one in plain English; any other is named for its endpoint. */
const recordNames: Readonly<Record<string, string>> = {
  'service.ping': 'Ping',
  'service.me': 'Me',
  'reference.providers': 'ReferenceProvider',
  'reference.products': 'ReferenceProduct',
  'reference.cards': 'ReferenceCard',
  'reference.currencies': 'Currency',
  'reference.account-types': 'AccountType',
  'reference.fscs': 'FscsBrand',
  'rates.list': 'SavingsProduct',
  'rates.link': 'ProductLink',
  'providers.list': 'Provider',
  'providers.get': 'ProviderWithProducts',
  'providers.service-quality': 'ServiceQuality',
  'switch-offers': 'SwitchOffer',
  'account-offers': 'AccountOffer',
  'cards.rewards': 'RewardCard',
  'cards.travel': 'TravelCard',
  'cards.fx-history': 'ExchangeRateOfDay',
  'fx.rates': 'ExchangeRate',
  'history.list': 'RateChange',
  'history.components': 'RateComponents',
  'rate-trends': 'RateTrend',
  'assets.provider': 'ProviderAsset',
  'assets.card': 'CardAsset',
  'market.averages': 'MarketAverage',
  'market.category-stats': 'CategoryStats',
  'market.card-stats': 'CardStats',
  simulate: 'Simulation',
  'calculators.savings-tax': 'SavingsTax',
  'calculators.isa-allowance': 'IsaAllowance',
  'calculators.savings-growth': 'SavingsGrowth',
  'calculators.regular-saver': 'RegularSaver',
}

/** Name of the schema of `data`, or of one row of it. Endpoints that answer the same record share the name of the first. */
export const recordName = ({ id, kind }: Pick<Entry, 'id' | 'kind'>): string => recordNames[id] ?? pascal(id) + (kind === 'item' ? '' : 'Row')

/** Groups of endpoints: the word before the first dot of the id. */
const groups: Readonly<Record<string, { name: string; description: string }>> = {
  service: { name: 'Service', description: 'Whether the service answers, and what a key may do. Free.' },
  reference: { name: 'Reference lists', description: 'Keys, slugs and codes that other endpoints take, each list for one credit.' },
  rates: { name: 'Rates', description: 'Savings products and their current rates.' },
  history: { name: 'History', description: 'How rates changed.' },
  'rate-trends': { name: 'History', description: 'How rates changed.' },
  providers: { name: 'Providers', description: 'Banks and building societies, and how customers rate them.' },
  'switch-offers': { name: 'Offers', description: 'What current accounts pay to new customers.' },
  'account-offers': { name: 'Offers', description: 'What current accounts pay to new customers.' },
  cards: { name: 'Cards', description: 'Reward cards and travel cards.' },
  fx: { name: 'Exchange rates', description: 'Reference rates of currencies against the pound.' },
  market: { name: 'Market', description: 'Statistics of the savings market, key rates and inflation.' },
  simulate: { name: 'Calculators', description: 'Interest, tax and allowances, exact to the penny.' },
  calculators: { name: 'Calculators', description: 'Interest, tax and allowances, exact to the penny.' },
  assets: { name: 'Assets', description: 'Pictures of providers and cards.' },
  assistant: { name: 'Assistant', description: 'Announced.' },
}

/** The group that an endpoint is listed in; one that is not named here is a group of its own. */
export function groupOf({ id }: Pick<Entry, 'id'>): { name: string; description: string } {
  const first = id.split('.')[0] ?? id
  const name = capital(wordsOf(first).join(' '))
  return groups[first] ?? { name, description: `${name}.` }
}
