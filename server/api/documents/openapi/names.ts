import type { registry } from '#server/api/endpoints/registry.ts'

export type Entry = (typeof registry)[number]

/** Splits `switch_offer.changed`, `rates.list` or `Savings tax` into words. */
const getWords = (text: string) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Converts `insufficient_credits` to `InsufficientCredits`. */
export const pascal = (text: string): string => getWords(text).map(capital).join('')

/** Returns the name of an operation in generated clients, derived from the endpoint id, which never changes: `rates.list` becomes `ratesList`. */
export function operationId({ id }: Pick<Entry, 'id'>): string {
  const name = pascal(id)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Names of records by endpoint id. Records that are not listed here are named after their endpoint; files contain the records of a list. */
const recordNames: Readonly<Record<string, string>> = {
  'service.ping': 'Ping',
  'service.me': 'Me',
  'usage.list': 'Usage',
  'alerts.list': 'Alert',
  'alerts.delete': 'DeletedObject',
  'webhooks.list': 'Webhook',
  'webhooks.create': 'CreatedWebhook',
  'webhooks.delete': 'DeletedObject',
  'webhooks.rotate-secret': 'RotatedWebhookSecret',
  'webhooks.test': 'TestDelivery',
  'webhooks.deliveries': 'WebhookDelivery',
  'webhooks.delivery': 'WebhookDeliveryDetails',
  'webhooks.redeliver': 'QueuedDelivery',
  'webhooks.events': 'SentEvent',
  'webhooks.samples': 'SampleEvent',
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
  'snapshots.list': 'Snapshot',
  'snapshots.rates': 'SavingsProduct',
  'snapshots.providers': 'Provider',
  'snapshots.switch-offers': 'SwitchOffer',
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

/** Returns the name of the record that an endpoint returns in `data`: one object, or each row of a list. */
export const recordName = ({ id, kind }: Pick<Entry, 'id' | 'kind'>): string => recordNames[id] ?? pascal(id) + (kind === 'item' ? '' : 'Row')

/** Endpoint groups, keyed by the part of the endpoint id before the first dot. */
const groups: Readonly<Record<string, { name: string; description: string }>> = {
  service: { name: 'Service', description: 'Check that the API is up, and see what a key can do. Free.' },
  usage: { name: 'Account', description: 'Your own usage, webhook endpoints and alerts. Free.' },
  webhooks: { name: 'Account', description: 'Your own usage, webhook endpoints and alerts. Free.' },
  alerts: { name: 'Account', description: 'Your own usage, webhook endpoints and alerts. Free.' },
  reference: { name: 'Reference lists', description: 'Keys, slugs and codes for the parameters of other endpoints. One credit per list.' },
  rates: { name: 'Rates', description: 'Savings products and their current rates.' },
  history: { name: 'History', description: 'Past rate changes.' },
  'rate-trends': { name: 'History', description: 'Past rate changes.' },
  providers: { name: 'Providers', description: 'Banks and building societies, and their customer ratings.' },
  'switch-offers': { name: 'Offers', description: 'Incentives for new current account customers.' },
  'account-offers': { name: 'Offers', description: 'Incentives for new current account customers.' },
  snapshots: { name: 'Snapshots', description: 'Files with the whole market on one day.' },
  cards: { name: 'Cards', description: 'Reward cards and travel cards.' },
  fx: { name: 'Exchange rates', description: 'Reference exchange rates against the pound.' },
  market: { name: 'Market', description: 'Savings market statistics, key interest rates and inflation.' },
  simulate: { name: 'Calculators', description: 'Interest, tax and allowances, exact to the penny.' },
  calculators: { name: 'Calculators', description: 'Interest, tax and allowances, exact to the penny.' },
  assets: { name: 'Assets', description: 'Images of providers and cards.' },
  assistant: { name: 'Assistant', description: 'Announced, not launched yet.' },
}

/** Returns the group of an endpoint. An endpoint without a named group gets its own group. */
export function getGroup({ id }: Pick<Entry, 'id'>): { name: string; description: string } {
  const first = id.split('.')[0] ?? id
  const name = capital(getWords(first).join(' '))
  return groups[first] ?? { name, description: `${name}.` }
}
