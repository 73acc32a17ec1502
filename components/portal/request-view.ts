import { toStatusFilter } from './usage-view.ts'

/** Filters, range and page of the request list, stored in the URL. */
export type RequestView = {
  readonly search: string | null
  readonly endpoint: string | null
  /** A status, or a group such as `4xx`. */
  readonly status: string | null
  readonly key: string | null
  /** Range that ends now; null for the 30 days that requests are kept, or for a custom range. */
  readonly last: Last | null
  /** Inclusive UTC dates of a custom range. */
  readonly from: string | null
  readonly to: string | null
  readonly before: string | null
  /** Id of the request whose details are open. */
  readonly request: string | null
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

export const lasts = [
  { last: '1h', name: '1 hour', ms: hourMs },
  { last: '24h', name: '24 hours', ms: dayMs },
  { last: '7d', name: '7 days', ms: 7 * dayMs },
] as const

type Last = (typeof lasts)[number]['last']

export const anyRequest: RequestView = {
  search: null,
  endpoint: null,
  status: null,
  key: null,
  last: null,
  from: null,
  to: null,
  before: null,
  request: null,
}

const maxLength = 100

type Parameters = Readonly<Record<string, string | string[] | undefined>>

/** Returns a valid date, else null. */
function toDate(text: string | null): string | null {
  const at = text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : new Date(Number.NaN)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text ?? '-') ? text : null
}

/** Parses a URL's search parameters. Empty or malformed parameters are ignored. */
export function readRequestView(given: Parameters): RequestView {
  const text = (name: string): string | null => {
    const value = given[name]
    const one = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    return one === '' ? null : one.slice(0, maxLength)
  }
  const [status, last, from, to] = [text('status'), text('last'), toDate(text('from')), toDate(text('to'))]
  return {
    search: text('search'),
    endpoint: text('endpoint'),
    status: toStatusFilter(status) === null ? null : status,
    key: text('key'),
    last: from === null && to === null ? (lasts.find((one) => one.last === last)?.last ?? null) : null,
    from,
    to,
    before: text('before'),
    request: text('request'),
  }
}

/** Returns the number of filters that are set, including the search. */
export const countFilters = ({ before: _before, request: _request, ...filters }: RequestView): number =>
  Object.values(filters).filter((value) => value !== null).length

export const isFiltered = (view: RequestView): boolean => countFilters(view) > 0

/** Returns the URL of the request list with the given filters and page. */
export function requestsHref(view: RequestView): string {
  const set = Object.entries(view).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return set.length === 0 ? '/portal/requests' : `/portal/requests?${new URLSearchParams(set)}`
}

/** Returns the query input for a view. A range that ends now starts on a full minute, so that the browser and the server send the same input. */
export function listInput({ search, endpoint, status, key, last, from, to, before }: RequestView, now: Date, limit: number) {
  const ms = lasts.find((one) => one.last === last)?.ms
  const start = ms === undefined ? from : Math.floor(now.getTime() / 60_000) * 60_000 - ms
  const end = to === null ? null : Date.parse(to) + dayMs
  const toMoment = (at: string | number | null) => (at === null ? null : new Date(at).toISOString())
  return { search, endpoint, status: toStatusFilter(status), key, from: toMoment(start), to: toMoment(end), before, limit }
}

const hoursOfDay = 23

/** Returns the query input for the histogram above the list: the last 24 hours by hour, or the days of the range. Days and hours are in UTC. */
export function histogramInput({ endpoint, status, key, last, from, to }: RequestView, now: Date) {
  const filter = { endpoint, status: toStatusFilter(status), key, by: 'status' as const }
  const hour = (at: number) => new Date(at).toISOString().slice(0, 13)
  const day = (at: number) => hour(at).slice(0, 10)
  const time = now.getTime()
  if (last === '1h' || last === '24h') return { ...filter, grain: 'hour' as const, from: hour(time - hoursOfDay * hourMs), to: hour(time) }
  const days = last === '7d' ? 6 : 29
  return { ...filter, grain: 'day' as const, from: from ?? day(time - days * dayMs), to: to ?? day(time) }
}
