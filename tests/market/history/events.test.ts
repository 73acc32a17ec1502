import { expect, test } from 'vitest'
import { toHistoryRow } from '#server/api/endpoints/history/history-fields.ts'
import { listHistory } from '#server/api/endpoints/history/list-history.endpoint.ts'
import { listSwitchOffers } from '#server/api/endpoints/offers/list-switch-offers.endpoint.ts'
import { toSwitchOffer } from '#server/api/endpoints/offers/offer-records.ts'
import { listRates } from '#server/api/endpoints/rates/list-rates.endpoint.ts'
import { toSavingsProduct } from '#server/api/endpoints/rates/savings-product.ts'
import { eventId, type MarketEvent, readEvents } from '#server/market/events/events.ts'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { londonDay } from '#server/market/sources/calendar.ts'
import { type Line, ndjson, product, provider, switchOffer } from '../feeds.ts'
import { marketDatabase } from '../market-database.ts'
import { getContext, readList } from '../read-endpoint.ts'

const market = marketDatabase()

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const context = async () => getContext((await loadSnapshot(market.pool)).dataset('live'), { mode: 'live' })

async function getEvents<Type extends MarketEvent['type']>(type: Type): Promise<Extract<MarketEvent, { type: Type }>[]> {
  const events = await readEvents(market.pool, { after: 0, limit: 1000 })
  return events.filter((event): event is Extract<MarketEvent, { type: Type }> => event.type === type)
}

test('rate.changed contains exactly the row that /history returns', async () => {
  await take([provider('harrow'), provider('plain', { colour: null })])
  await take([product('a'), product('b', { providerSlug: 'plain' })])
  await take([product('a', { rate: '4.75', baseRate: '3.50' }), product('b', { providerSlug: 'plain', rate: '4.50', baseRate: '3.00', boostRate: '1.50' })])
  const now = await context()
  const rows = await readList(listHistory, now)
  const events = await getEvents('rate.changed')
  expect(events.map(({ change }) => toHistoryRow(change, now)).reverse()).toEqual(rows.filter(({ direction }) => direction !== 'launched'))
  expect(events.map(({ rateChangeBp, providerSlug, accountType }) => [rateChangeBp, providerSlug, accountType])).toEqual([
    [25, 'harrow', 'easy-access'],
    [0, 'plain', 'easy-access'],
  ])
})

test('product and offer events contain what /rates and /switch-offers return', async () => {
  await take([provider('harrow')])
  await take([product('a'), product('b', { maxBalance: null, newCustomersOnly: true })])
  await take([switchOffer('s', { endDate: '2099-01-01', minPayIn: '1000.00', eligibility: ['Be 18 or over'] })])
  const now = await context()
  const [rates, offers] = [await readList(listRates, now), await readList(listSwitchOffers, now)]
  await take([product('a')])
  const [added, withdrawn] = [await getEvents('product.added'), await getEvents('product.withdrawn')]
  const plain = ({ matchReasons: _, ...row }: Record<string, unknown>) => row
  expect(added.map(({ product: carried }) => plain(toSavingsProduct({ product: carried, reasons: [] }, now)))).toEqual(rates.map(plain))
  const [gone] = withdrawn.map(({ product: carried }) => plain(toSavingsProduct({ product: carried, reasons: [] }, now)))
  expect({ ...gone, updatedAt: null }).toEqual({ ...plain(rates[1] ?? {}), updatedAt: null })
  const [offer] = await getEvents('switch_offer.changed')
  expect(offer && toSwitchOffer(offer.offer, londonDay(Date.now()), now)).toEqual(offers[0])
  expect(offer?.isWithdrawn).toBe(false)
})

test('marks a withdrawn offer, and never links to a removed provider', async () => {
  await take([provider('harrow'), provider('kestrel')])
  await take([switchOffer('s'), switchOffer('t', { providerSlug: 'kestrel' })])
  await take([switchOffer('s')])
  await take([product('k', { providerSlug: 'kestrel' })])
  await take([provider('harrow')])
  const offers = await getEvents('switch_offer.changed')
  expect(offers.map(({ offer, isWithdrawn }) => [offer.offerKey, offer.providerSlug, offer.logoPath, isWithdrawn])).toEqual([
    ['s', 'harrow', '/logos/live/harrow.svg', false],
    ['t', null, null, false],
    ['t', null, null, true],
  ])
  const [gone] = await getEvents('product.withdrawn')
  expect(gone?.product).toMatchObject({ sourceKey: 'k', provider: 'kestrel Bank', providerSlug: 'kestrel', providerLogoPath: null })
})

test('a reader that polls during concurrent imports misses no events', async () => {
  await take([provider('harrow')])
  const seen: number[] = []
  let isDone = false
  const reading = (async () => {
    for (let ended = false; !ended; ) {
      ended = isDone
      const events = await readEvents(market.pool, { after: seen.at(-1) ?? 0, limit: 7 })
      seen.push(...events.map(({ seq }) => seq))
      if (events.length > 0) ended = false
    }
  })()
  await Promise.all(Array.from({ length: 12 }, (_, index) => take([product(`p${index}`), product(`q${index}`)], { partial: true })))
  isDone = true
  await reading
  const { rows } = await market.pool.query<{ seq: string }>('SELECT seq FROM market_event ORDER BY seq')
  expect(seen).toEqual(rows.map(({ seq }) => Number(seq)))
  expect(seen).toHaveLength(24)
  expect(seen.map(eventId).toSorted()).toEqual(seen.map(eventId))
})
