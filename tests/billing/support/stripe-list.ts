import type { Form } from './form.ts'
import type { Charge } from './stripe-objects.ts'

type Listed = { readonly id: string; readonly created: number; readonly customer?: string | null; readonly latest_charge?: string | null }

/** Returns a page of a Stripe list, newest first, with charges expanded if requested. */
export function getList(charges: ReadonlyMap<string, Charge>, all: readonly Listed[], form: Form, url: string): { status: number; body: object } {
  const since = Number((form['created'] as Form | undefined)?.['gte'] ?? 0)
  const fitting = all.filter((item) => item.created >= since && (form['customer'] === undefined || item.customer === form['customer'])).toReversed()
  const from = form['starting_after'] === undefined ? 0 : fitting.findIndex((item) => item.id === form['starting_after']) + 1
  const page = fitting.slice(from, from + Number(form['limit'] ?? 10))
  const data = form['expand'] === undefined ? page : page.map((item) => ({ ...item, latest_charge: charges.get(item.latest_charge ?? '') ?? null }))
  return { status: 200, body: { object: 'list', url, has_more: from + page.length < fitting.length, data } }
}
