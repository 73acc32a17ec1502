/** Which requests a page shows. All of it stands in its address. */
export type RequestView = {
  readonly search: string | null
  readonly endpoint: string | null
  readonly status: number | null
  readonly key: string | null
  readonly before: string | null
}

export const isFiltered = ({ search, endpoint, status, key }: RequestView): boolean => search !== null || endpoint !== null || status !== null || key !== null

/** The address of a view. */
export function requestsHref(view: RequestView): string {
  const set = Object.entries(view).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return set.length === 0 ? '/portal/requests' : `/portal/requests?${new URLSearchParams(set)}`
}
