import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { maxAlertProviders, maxWatchedProducts, type NewAlert } from '#server/api/contract/market-alerts.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import type { AlertDeps, AlertFilter } from './alert-deps.ts'
import { readState, type Watched } from './compare.ts'

const maxNameLength = 100

function nameFault(name: string): string | null {
  if (name === '') return 'Enter a name.'
  if (name.length > maxNameLength) return `Enter a name of at most ${maxNameLength} characters.`
  // The name is used in email subjects.
  return /\p{C}/u.test(name) ? "A name can't contain line breaks or control characters." : null
}

function providersFault(providers: readonly string[], market: MarketView): string | null {
  if (providers.length === 0) return 'Enter at least one provider.'
  if (providers.length > maxAlertProviders) return `Enter at most ${maxAlertProviders} providers.`
  const unknown = providers.find((slug) => !market.hasProvider(slug))
  return unknown === undefined ? null : `There is no provider "${unknown.slice(0, 60)}". Use a slug from /reference/providers.`
}

const filterFault = (filter: AlertFilter, market: MarketView, { filters }: Pick<AlertDeps, 'filters'>): string | null =>
  Object.keys(filter).length === 0 ? 'Choose at least one filter.' : filters.findFault(filter, market)

/** Returns only the settings that apply to the alert's kind. */
const toWatched = ({ kind, filter, providers }: Watched): Watched => ({
  kind,
  filter: kind === 'products' ? filter : {},
  providers: kind === 'providers' ? [...new Set(providers.map((slug) => slug.trim()).filter((slug) => slug !== ''))] : [],
})

/** Settings of an alert, normalised and checked. */
export type AlertSettings = Watched & Pick<NewAlert, 'name' | 'frequency' | 'byEmail' | 'byWebhook'>

/** Checks an alert's filters. @throws FieldsError */
function checkWatched(deps: Pick<AlertDeps, 'filters'>, { kind, filter, providers }: Watched, market: MarketView): void {
  refuseFaults({
    filter: kind === 'products' ? filterFault(filter, market, deps) : null,
    providers: kind === 'providers' ? providersFault(providers, market) : null,
  })
}

/** Checks and normalises the settings of an alert. @throws FieldsError */
export function readSettings(deps: Pick<AlertDeps, 'filters'>, given: NewAlert, market: MarketView): AlertSettings {
  const [watched, name] = [toWatched(given), given.name.trim()]
  refuseFaults({ name: nameFault(name) })
  checkWatched(deps, watched, market)
  checkSize(watched, Object.keys(readState(watched, market, deps.filters)).length)
  if (!given.byEmail && !given.byWebhook) throw new FieldsError({ delivery: 'Choose email, webhook or both.' })
  return { ...watched, name, frequency: given.frequency, byEmail: given.byEmail, byWebhook: given.byWebhook }
}

/** Rejects a search that matches too many products, because all of them are compared after every market change. @throws FieldsError */
function checkSize({ kind }: Watched, count: number): void {
  const fault = `This matches ${count} products, but an alert can track at most ${maxWatchedProducts}. Add filters.`
  if (count > maxWatchedProducts) throw new FieldsError({ [kind === 'providers' ? 'providers' : 'filter']: fault })
}

const maxSamples = 5

/** Counts the products that an alert would track now, and returns the first ones by key, for a preview. @throws FieldsError */
export function previewAlert(deps: Pick<AlertDeps, 'filters' | 'current'>, given: Watched) {
  const market = deps.current().dataset('live')
  const watched = toWatched(given)
  checkWatched(deps, watched, market)
  const keys = Object.keys(readState(watched, market, deps.filters))
  checkSize(watched, keys.length)
  const samples = keys.slice(0, maxSamples).flatMap((key) => {
    const product = market.product(key)?.product
    return product === undefined ? [] : [{ sourceKey: key, provider: product.provider, accountName: product.accountName }]
  })
  return { count: keys.length, samples }
}
