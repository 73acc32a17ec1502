import type { Mode } from '#server/api/contract/endpoint.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { type AlertChange, type AlertChangeKind, type AlertKind, alertChangeKinds } from '#server/api/contract/market-alerts.ts'
import type { Product } from '#server/market/product.ts'
import type { MarketSnapshot, MarketView } from '#server/market/snapshot.ts'
import type { AlertFilter, FilterParser } from './alert-deps.ts'

/** Search, providers or rate that an alert tracks. */
export type Watched = { readonly kind: AlertKind; readonly filter: AlertFilter; readonly providers: readonly string[] }

/** Rate in basis points and time of the last change, by product key. Bank Rate has an empty key. */
export type AlertState = Readonly<Record<string, readonly [rateBp: number, updatedAt: string]>>

function getProducts({ kind, filter, providers }: Watched, market: MarketView, parser: FilterParser): readonly Product[] {
  if (kind === 'products') return market.referenceProducts(parser.convert(filter))
  return providers.flatMap((provider) => market.referenceProducts({ provider }))
}

/** Returns the market that alerts in a mode track, which is the one that API keys in that mode read. */
export const getMarket = (snapshot: MarketSnapshot, mode: Mode): MarketView => snapshot.dataset(mode === 'test' ? 'sample' : 'live')

/** Returns the current state of everything that an alert tracks. */
export function readState(watched: Watched, market: MarketView, parser: FilterParser): AlertState {
  if (watched.kind === 'bank-rate') {
    const rate = market.statistics.bankRate()
    return rate === undefined ? {} : { '': [rate.currentBp, rate.effectiveDate] }
  }
  return Object.fromEntries(getProducts(watched, market, parser).map(({ sourceKey, rateBp, updatedAt }) => [sourceKey, [rateBp, updatedAt] as const]))
}

const percent = (rateBp: number | undefined): string | null => (rateBp === undefined ? null : twoDecimals(rateBp))

/** Returns the kind of change to a product or rate that is still tracked; null if there is none to report. */
function getChange(kind: AlertKind, [fromBp, fromTime]: AlertState[string], [toBp, toTime]: AlertState[string]): AlertChangeKind | null {
  if (toBp !== fromBp) return toBp > fromBp ? 'rate_up' : 'rate_down'
  return kind === 'providers' && toTime !== fromTime ? 'terms_changed' : null
}

/** Returns the kind of change to a tracked key; null if there is none to report. */
function findChange(kind: AlertKind, key: string, from: AlertState[string] | undefined, to: AlertState[string] | undefined, market: MarketView) {
  if (from !== undefined && to !== undefined) return getChange(kind, from, to)
  // A missing Bank Rate means that no source has provided it yet, not that it has changed.
  if (kind === 'bank-rate') return null
  if (to !== undefined) return 'matched'
  return market.product(key) === undefined ? 'withdrawn' : 'unmatched'
}

/** Finds the names of products, including those withdrawn recently. */
function findProduct(key: string, market: MarketView): Product | undefined {
  return market.product(key)?.product ?? market.products({ sourceKeys: [key], withWithdrawn: true, limit: 1 }).rows[0]?.product
}

function toChange(
  change: AlertChangeKind,
  key: string,
  from: AlertState[string] | undefined,
  to: AlertState[string] | undefined,
  market: MarketView,
): AlertChange {
  const product = key === '' ? undefined : findProduct(key, market)
  const toBp = to?.[0] ?? (change === 'unmatched' ? product?.rateBp : undefined)
  return {
    change,
    sourceKey: key === '' ? null : key,
    provider: product?.provider ?? null,
    accountName: product?.accountName ?? (key === '' ? 'Bank Rate' : key),
    fromRate: percent(from?.[0]),
    toRate: percent(toBp),
  }
}

/** Result of a comparison: the first changes, and the total number. */
export type Changes = { readonly listed: readonly AlertChange[]; readonly count: number }

/** Compares two states of an alert. Lists at most `max` changes: new matches first, then by source key. */
export function compareStates(kind: AlertKind, before: AlertState, after: AlertState, market: MarketView, max: number): Changes {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const found = keys.flatMap((key) => {
    const change = findChange(kind, key, before[key], after[key], market)
    return change === null ? [] : [{ key, change }]
  })
  const ordered = found.sort((a, b) => alertChangeKinds.indexOf(a.change) - alertChangeKinds.indexOf(b.change))
  return { listed: ordered.slice(0, max).map(({ key, change }) => toChange(change, key, before[key], after[key], market)), count: found.length }
}
