import { noCaller } from '#server/api/contract/own-account.ts'
import type { MarketEventType } from '#server/api/contract/webhooks.ts'
import type { MarketEvent } from '#server/market/events/events.ts'
import type { Product } from '#server/market/product.ts'
import type { MarketView } from '#server/market/snapshot.ts'
import { londonDay } from '#server/market/sources/calendar.ts'
import type { Context } from '../define.ts'
import { toHistoryRow } from '../history/history-fields.ts'
import { toSwitchOffer } from '../offers/offer-records.ts'
import { toSavingsProduct } from '../rates/savings-product.ts'

type Needs = { readonly market: MarketView; readonly publicUrl: string }

/** Serialised event data, without logos and, for the Enterprise plan, with logos. */
export type WrittenEvent = { readonly data: string; readonly dataWithLogos: string }

/** Builds the context of a handler. Its mode is irrelevant, because only endpoints about the caller read it. */
const toContext = ({ market, publicUrl }: Needs, withLogos: boolean): Context => ({
  market,
  publicUrl,
  withLogos,
  mode: 'live',
  requestId: '',
  ...noCaller,
})

function write(needs: Needs, row: (context: Context) => object): WrittenEvent {
  return { data: JSON.stringify(row(toContext(needs, false))), dataWithLogos: JSON.stringify(row(toContext(needs, true))) }
}

/** Returns the match reasons as in /rates if the product still has the same rate, else only those that don't depend on its rank. */
function getReasons(product: Product, market: MarketView): string[] {
  const now = market.product(product.sourceKey)
  return now && now.product.rateBp === product.rateBp ? now.reasons : [product.fscsDetails]
}

const productRow = (product: Product, needs: Needs) =>
  write(needs, (context) => toSavingsProduct({ product, reasons: getReasons(product, needs.market) }, context))

/** Serialises the data of an event, as of the event's date, in the format of the endpoint that returns the same record. */
export function writeEvent(event: MarketEvent, needs: Needs): WrittenEvent {
  switch (event.type) {
    case 'rate.changed':
      return write(needs, (context) => toHistoryRow(event.change, context))
    case 'product.added':
    case 'product.withdrawn':
      return productRow(event.product, needs)
    case 'switch_offer.changed':
      return write(needs, (context) => {
        const offer = toSwitchOffer(event.offer, londonDay(Date.parse(event.createdAt)), context)
        // A withdrawn offer was removed before its last day, so its dates do not show that it has ended.
        return event.isWithdrawn ? { ...offer, status: 'ended' } : offer
      })
  }
}

function lacking(type: MarketEventType): Error {
  return new Error(`The sample market has no row for a ${type} test event.`)
}

/** Returns the data of a test event: the first suitable row of the sample market. @throws an error if there is none. */
export async function sampleEvent(type: MarketEventType, needs: Needs, now: number): Promise<WrittenEvent> {
  const { market } = needs
  if (type === 'rate.changed') {
    const { rows } = await market.history.changes({ filter: {}, after: null, limit: 50 })
    const change = rows.find(({ previousRateBp, rateBp }) => previousRateBp !== null && rateBp !== null) ?? rows[0]
    if (!change) throw lacking(type)
    return write(needs, (context) => toHistoryRow(change, context))
  }
  if (type === 'switch_offer.changed') {
    const [offer] = market.switchOffers()
    if (!offer) throw lacking(type)
    return write(needs, (context) => toSwitchOffer(offer, londonDay(now), context))
  }
  const [match] = market.products({ limit: 1 }).rows
  if (!match) throw lacking(type)
  return write(needs, (context) => toSavingsProduct(match, context))
}
