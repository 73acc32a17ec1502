/** Filters of the audit log, from the query string; null if not set. */
export type AuditView = {
  readonly account: string | null
  readonly admin: string | null
  readonly action: string | null
  readonly subject: string | null
  /** Inclusive UTC dates. */
  readonly from: string | null
  readonly to: string | null
}

type Search = Readonly<Record<string, string | string[] | undefined>>

const maxLength = 100

/** Reads a string parameter. Ignores values with NUL characters, which PostgreSQL can't store. */
function textIn(search: Search, name: string): string | null {
  const value = search[name]
  const text = typeof value === 'string' ? value.trim().slice(0, maxLength) : ''
  return text === '' || text.includes('\0') ? null : text
}

/** Reads a date parameter such as 2026-11-21. Ignores invalid dates. */
function dayIn(search: Search, name: string): string | null {
  const text = textIn(search, name) ?? ''
  const isDay = /^2\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  return isDay ? text : null
}

export function readAuditView(search: Search): AuditView {
  const text = (name: string) => textIn(search, name)
  return {
    account: text('account'),
    admin: text('admin'),
    action: text('action'),
    subject: text('subject'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
  }
}

export const isNarrowed = (view: AuditView): boolean => Object.values(view).some((value) => value !== null)

/** Returns the URL of the audit log or its CSV download with the given filters. */
export function auditHref(path: string, view: AuditView, cursor: string | null = null): string {
  const set = Object.entries({ ...view, cursor }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}
