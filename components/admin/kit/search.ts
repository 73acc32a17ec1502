export type Search = Readonly<Record<string, string | string[] | undefined>>

/** Returns a parameter of the query string if it matches a format; otherwise null. */
export function readParameter(search: Search, name: string, form: RegExp): string | null {
  const value = search[name]
  const text = typeof value === 'string' ? value.trim() : ''
  return form.test(text) && !text.includes('\0') ? text : null
}

/** Formats of ids and cursors in query strings. */
export const formats = { account: /^acc_[0-9A-Za-z]{1,60}$/, cursor: /^\d{1,18}$/ } as const

/** Returns a URL with the given parameters. Leaves out those that are null or empty. */
export function toHref(path: string, given: Readonly<Record<string, string | readonly string[] | null | undefined>>): string {
  const set = Object.entries(given).flatMap(([name, value]) => (value === null || value === undefined || value === '' ? [] : [[name, String(value)]]))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}
