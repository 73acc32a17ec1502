/** Format of the response to a list. `no` distinguishes the cached pages of each format. */
export type ListFormat = { readonly no: 0 | 1 | 2; readonly contentType: string }

/** Formats of lists. JSON is the default, and the only format of everything else. */
export const listFormats = {
  json: { no: 0, contentType: 'application/json; charset=utf-8' },
  csv: { no: 1, contentType: 'text/csv; charset=utf-8; header=present' },
  ndjson: { no: 2, contentType: 'application/x-ndjson; charset=utf-8' },
} as const satisfies Record<string, ListFormat>
