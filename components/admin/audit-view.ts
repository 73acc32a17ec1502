/** Which lines of the log a page shows. All of it stands in its address; null: not asked for. */
export type AuditView = {
  readonly account: string | null
  readonly admin: string | null
  readonly action: string | null
  readonly subject: string | null
  /** Days of UTC, both within. */
  readonly from: string | null
  readonly to: string | null
}

type Search = Readonly<Record<string, string | string[] | undefined>>

const longest = 100

/** What was typed without what nobody types: a NUL is in no text that the database keeps. */
function textIn(search: Search, name: string): string | null {
  const value = search[name]
  const text = typeof value === 'string' ? value.trim().slice(0, longest) : ''
  return text === '' || text.includes('\0') ? null : text
}

/** A day such as 2026-11-21 that there is. */
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

/** The address of a view, of the page or of the file. */
export function auditHref(path: string, view: AuditView, cursor: string | null = null): string {
  const set = Object.entries({ ...view, cursor }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}
