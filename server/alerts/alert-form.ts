import { z } from 'zod'
import { alertFrequencies, alertKindNames, type NewAlert } from '#server/api/contract/market-alerts.ts'

/** Filters that have their own field in the form. All others are typed as a query string. */
const fieldNames = ['type', 'minRate', 'provider', 'q'] as const

const typed = (max = 1_000) => z.string().max(max)

/** Converts a query string, such as `maxNoticeDays=30&newCustomersOnly=false`, to filters. Repeated names are rejected, as in /rates. */
export function readFilter(text: string): { readonly filter: Record<string, string>; readonly fault: string | null } {
  const entries = [...new URLSearchParams(text.trim().replace(/^\?/, ''))].map(([name, value]) => [name.trim(), value.trim()] as const)
  const filter = new Map<string, string>()
  let fault: string | null = null
  for (const [name, value] of entries) {
    if (filter.has(name)) fault ??= `"${name.slice(0, 60)}" appears more than once. Use it only once.`
    filter.set(name, value)
  }
  return { filter: Object.fromEntries(filter), fault }
}

function toFilter(text: string, context: z.RefinementCtx): Record<string, string> {
  const { filter, fault } = readFilter(text)
  if (fault !== null) context.addIssue(fault)
  return filter
}

/** Filters of an alert as submitted by a form: every input is text. */
export const typedWatched = {
  kind: z.enum(alertKindNames),
  type: typed(100),
  minRate: typed(100),
  provider: typed(),
  q: typed(),
  /** Other filters of /rates, as a query string. */
  filter: z.string().max(12_000).transform(toFilter),
  /** Slugs, separated by lines, spaces or commas. */
  providers: z
    .string()
    .max(20_000)
    .transform((text) => text.split(/[\s,]+/).filter((slug) => slug !== '')),
}

/** Fields of an alert as submitted by a form. */
export const typedAlert = {
  ...typedWatched,
  name: typed(500),
  frequency: z.enum(alertFrequencies),
  delivery: z.array(z.enum(['email', 'webhook'])).max(2),
}

type Watched = Pick<NewAlert, 'kind' | 'filter' | 'providers'>
type TypedWatched = Watched & Readonly<Record<(typeof fieldNames)[number], string>>

/** Returns the kind and filters of an alert from all form fields. Empty fields are ignored. */
export function toWatched({ kind, filter, providers, ...fields }: TypedWatched): Watched {
  const own = fieldNames.map((name) => [name, fields[name].trim().replace(name === 'minRate' ? /\s*%$/ : /$^/, '')] as const)
  return { kind, providers, filter: { ...filter, ...Object.fromEntries(own.filter(([, value]) => value !== '')) } }
}

type TypedAlert = TypedWatched & Pick<NewAlert, 'name' | 'frequency'> & { readonly delivery: readonly string[] }

/** Returns the alert settings submitted with a form. */
export const toNewAlert = ({ name, frequency, delivery, ...watched }: TypedAlert): NewAlert => ({
  ...toWatched(watched),
  name,
  frequency,
  byEmail: delivery.includes('email'),
  byWebhook: delivery.includes('webhook'),
})
