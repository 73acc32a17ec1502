import { type EventType, eventTypes } from '#server/api/contract/events.ts'

/** Kinds of failed deliveries, in the order of the filter. */
export const failureKinds = ['dead', 'retrying', 'held'] as const

export type FailureKind = (typeof failureKinds)[number]

export const failureLabels: Readonly<Record<FailureKind, string>> = { dead: 'Dead', retrying: 'Retrying', held: 'Waiting for credits' }

/** Filters of failed deliveries, from the query string. */
export type FailureView = { readonly kind: FailureKind; readonly type: EventType | null; readonly account: string | null; readonly after: string | null }

type Search = Readonly<Record<string, string | string[] | undefined>>

const formed = (value: string | string[] | undefined, form: RegExp): string | null =>
  typeof value === 'string' && form.test(value.trim()) ? value.trim() : null

export const readFailureView = (search: Search): FailureView => ({
  kind: failureKinds.find((kind) => kind === search['state']) ?? 'dead',
  type: eventTypes.find((type) => type === search['type']) ?? null,
  account: formed(search['account'], /^acc_[0-9A-Za-z]{1,60}$/),
  after: formed(search['after'], /^\d{1,18}$/),
})

/** Returns the URL of a view. */
export function failureHref(path: string, { kind, type, account }: Omit<FailureView, 'after'>, after: string | null = null): string {
  const set = Object.entries({ state: kind === 'dead' ? null : kind, type, account, after }).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`
}
