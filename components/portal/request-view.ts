/** Filters and page of the request list, stored in the URL. */
export type RequestView = {
  readonly search: string | null
  readonly endpoint: string | null
  readonly status: number | null
  readonly key: string | null
  readonly before: string | null
}

export const isFiltered = ({ search, endpoint, status, key }: RequestView): boolean => search !== null || endpoint !== null || status !== null || key !== null

/** Returns the URL of the request list with the given filters and page. */
export function requestsHref(view: RequestView): string {
  const set = Object.entries(view).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return set.length === 0 ? '/portal/requests' : `/portal/requests?${new URLSearchParams(set)}`
}
