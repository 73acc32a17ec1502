import { z } from 'zod'
import type { Plan } from './access.ts'

/** Kinds of market alert, with what each one reports. */
export const alertKinds = {
  products: 'Products that match a search',
  providers: 'Any change at certain providers',
  'bank-rate': 'Bank Rate',
} as const

export type AlertKind = keyof typeof alertKinds

export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]]

/** `daily` combines the notifications of a day in one email, at 08:00 in London. */
export const alertFrequencies = ['immediate', 'daily'] as const

export type AlertFrequency = (typeof alertFrequencies)[number]

/** Maximum number of alerts of an account, by plan. Paused alerts count too. */
export const maxAlerts: Readonly<Record<Plan, number>> = { hobby: 5, business: 25, enterprise: 100 }

/** Maximum number of providers of an alert. */
/** Maximum number of products that an alert can track when it is saved. */
export const maxWatchedProducts = 2_000

export const maxAlertProviders = 20

/** Maximum number of changes that a notification lists. Its count includes the others. */
export const maxListedChanges = 50

/** Hour in London at which daily emails are sent. */
export const digestHour = 8

/** Shortest time between two immediate emails to a member; notifications in between are combined. */
export const immediateEmailMinutes = 15

/** Number of days that notifications are kept. */
export const keptNotificationDays = 90

/** Filters that an alert on products accepts: those of /rates. */
export const alertFilterNames = [
  'type',
  'provider',
  'amount',
  'payable',
  'minRate',
  'maxRate',
  'minBalance',
  'sourceKey',
  'minTermMonths',
  'maxTermMonths',
  'maxNoticeDays',
  'access',
  'interestPaid',
  'newCustomersOnly',
  'fscsGroup',
  'q',
] as const

/** Kinds of change, as events and notifications name them. */
export const alertChangeKinds = ['matched', 'unmatched', 'withdrawn', 'rate_up', 'rate_down', 'terms_changed'] as const

export type AlertChangeKind = (typeof alertChangeKinds)[number]

/** A change that an alert found. Rates are two-decimal percentages; null if there was or is none. Bank Rate has no product. */
export type AlertChange = {
  readonly change: AlertChangeKind
  readonly sourceKey: string | null
  readonly provider: string | null
  readonly accountName: string
  readonly fromRate: string | null
  readonly toRate: string | null
}

const text = (max: number) => z.string().max(max)

/** Settings of an alert, as typed in the portal or sent by API. `server/alerts` validates them further. */
export const NewAlert = z.object({
  name: text(500),
  kind: z.enum(alertKindNames),
  /** Query parameters of /rates, as text. Only for the kind "products". */
  filter: z.record(text(60), text(11_000)),
  /** Provider slugs. Only for the kind "providers". */
  providers: z.array(text(200)).max(200),
  frequency: z.enum(alertFrequencies),
  byEmail: z.boolean(),
  byWebhook: z.boolean(),
})

export type NewAlert = z.infer<typeof NewAlert>
