import { z } from 'zod'
import { type AccountType, accountTypeValues } from './account-types.ts'
import { alertChangeKinds, alertKindNames, maxListedChanges } from './market-alerts.ts'

/** Market events. `schemaSource` is the id of the endpoint whose item, or list row, has the same schema as the event's data. */
const ofMarket = {
  'rate.changed': { when: 'The rate of a product changed.', carries: 'a row of `/history`', schemaSource: 'history.list' },
  'product.added': { when: 'A product was listed.', carries: 'the product', schemaSource: 'rates.get' },
  'product.withdrawn': { when: 'A product was withdrawn.', carries: 'the last version of the product', schemaSource: 'rates.get' },
  'switch_offer.changed': { when: 'A switch offer started, changed or ended.', carries: 'the offer', schemaSource: 'switch-offers' },
} as const satisfies Record<string, { when: string; carries: string; schemaSource: string }>

/** Data of `balance.low`: the balance fell to one of the account's alert thresholds. */
export const LowBalance = z.object({
  account: z.string().describe('Account ID, as in `/me`.'),
  thresholdCredits: z.int().min(0).describe('The lowest threshold that the balance has fallen to. Each threshold triggers one event until credits are added.'),
  balanceCredits: z.int().describe('Balance in credits; negative after a refund of spent credits.'),
  at: z.iso.datetime().describe('Time at which the balance fell to the threshold, UTC.'),
  topUp: z.url().describe('URL of the top-up page.'),
})

export type LowBalance = z.infer<typeof LowBalance>

/** Data of `alert.matched`: a market alert found changes. Contains no rates; receivers read those with the product keys. */
export const AlertMatched = z.object({
  account: z.string().describe('Account ID, as in `/me`.'),
  alert: z.string().describe('ID of the alert.'),
  name: z.string().describe('Name of the alert.'),
  kind: z.enum(alertKindNames).describe('What the alert reports.'),
  notification: z.string().describe('ID of the notification, the same for every delivery.'),
  changeCount: z.int().min(1).describe('Number of changes.'),
  changes: z
    .array(
      z.object({
        change: z.enum(alertChangeKinds).describe('What changed.'),
        sourceKey: z.string().nullable().describe('Product, as in `/rates/{sourceKey}`; null for Bank Rate.'),
      }),
    )
    .max(maxListedChanges)
    .describe(`The first ${maxListedChanges} changes.`),
  at: z.iso.datetime().describe('Time at which the changes were found, UTC.'),
  url: z.url().describe('URL of the alert in the portal.'),
})

export type AlertMatched = z.infer<typeof AlertMatched>

/** Account events. They are free, carry no rates or other market data, and are sent regardless of credits and filters. */
const ofAccount = {
  'balance.low': { when: 'Your balance fell to one of your alert thresholds.', carries: 'the threshold and the balance', shape: LowBalance },
  'alert.matched': { when: 'One of your market alerts found changes.', carries: 'the alert and the products that changed', shape: AlertMatched },
} as const satisfies Record<string, { when: string; carries: string; shape: z.ZodType }>

export const events = { ...ofMarket, ...ofAccount }

export type MarketEventType = keyof typeof ofMarket

export type AccountEventType = keyof typeof ofAccount

export type EventType = MarketEventType | AccountEventType

export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

export const isOfAccount = (type: EventType): type is AccountEventType => type in ofAccount

/** Price of a market event, charged once, when the receiver first returns 2xx. Retries, test events and account events are free. */
export const creditsPerEvent = 5

/** Returns an example of `balance.low` for test events and the documentation. */
export const sampleLowBalance = (publicUrl: string, at: string): LowBalance => ({
  account: 'acc_4Fzq8LmT0aWc2XyP',
  thresholdCredits: 50,
  balanceCredits: 47,
  at,
  topUp: topUpUrl(publicUrl),
})

/** Returns an example of `alert.matched` for test events and the documentation. */
const sampleAlertMatched = (publicUrl: string, at: string): AlertMatched => ({
  account: 'acc_4Fzq8LmT0aWc2XyP',
  alert: 'alr_8Lm2QsVb9TeR1ZtN',
  name: 'Easy access above 4.6%',
  kind: 'products',
  notification: 'aln_5Rk8WcYp0Ls6NvGd',
  changeCount: 1,
  changes: [{ change: 'matched', sourceKey: 'harrow-vale-easy-access-7f3a' }],
  at,
  url: alertUrl(publicUrl, 'alr_8Lm2QsVb9TeR1ZtN'),
})

/** Returns an example of an account event. */
export const sampleAccountEvent = (type: AccountEventType, publicUrl: string, at: string): LowBalance | AlertMatched =>
  type === 'balance.low' ? sampleLowBalance(publicUrl, at) : sampleAlertMatched(publicUrl, at)

export const alertUrl = (publicUrl: string, id: string): string => `${publicUrl}/portal/alerts/${id}`

export const topUpUrl = (publicUrl: string): string => `${publicUrl}/portal/billing/top-up`

/** Time limit for a receiver to respond. */
export const deliveryTimeoutSeconds = 10
/** Maximum age of a signature that receivers should accept. */
export const signatureAgeSeconds = 300

/**
 * Minutes between a failed attempt and the next. After the last attempt, the delivery is dead; it can be redelivered from the portal. The documentation
 * publishes these delays; `server/webhooks/retry-schedule.ts` applies them.
 */
export const retryMinutes = [1, 5, 30, 120, 720] as const

/** Ports that an endpoint's URL may use, by scheme. */
export const webhookPorts = { 'https:': [443, 8443], 'http:': [80, 8080] } as const

/** Maximum webhook endpoints per account. */
export const maxWebhookEndpoints = 20

/** Hours after a rotation during which deliveries are also signed with the previous secret. */
export const oldSecretHours = 24

/** Maximum number of response bytes stored per attempt. */
export const keptBodyBytes = 2_048

/** Number of days that finished deliveries and their events are kept. Pending deliveries are kept until they finish. */
export const keptDeliveryDays = 30

/** Number of days over which the health of an endpoint is measured. */
export const healthDays = 7

/** Maximum manual redeliveries per endpoint and hour. */
export const maxSentAgainAnHour = 10_000

/** Maximum free test events and manual redeliveries of an account, for all of its endpoints, including deleted ones. */
export const maxOfAccount = { testsAMinute: 30, sentAgainAnHour: 20_000 }

/**
 * Limit on an account's market events that are sent without a 2xx response in `days` days: `events`, plus one for every `perCharged` events charged. The SQL
 * function webhook_unacknowledged has the same numbers.
 */
export const unacknowledged = { days: 7, events: 100, perCharged: 4 }

/** `held` waits for credits, or for the next month if the cap is used up; `disabled` was set by the service, `paused` by the owner. */
export const webhookStates = ['active', 'paused', 'held', 'disabled'] as const

export type WebhookState = (typeof webhookStates)[number]

/** `waiting`: another attempt will follow; `dead`: the last attempt failed; `cancelled`: its endpoint was deleted. */
export const deliveryStates = ['waiting', 'delivered', 'dead', 'cancelled'] as const

export type DeliveryState = (typeof deliveryStates)[number]

const productTypes = accountTypeValues.filter((type) => type !== 'all') as [Exclude<AccountType, 'all'>, ...Exclude<AccountType, 'all'>[]]

/** Converts percentage points such as `0.25` to basis points; null if the text is not a change between 0.01 and 99.99. */
export function parsePercentagePoints(text: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const bp = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return whole !== undefined && bp > 0 ? bp : null
}

/** Subscription of a webhook endpoint. Empty `providers` or `accountTypes` match every event. */
export const WebhookInterest = z.object({
  types: z.array(z.enum(eventTypes)).min(1, 'Choose at least one event.').max(eventTypes.length),
  /** Provider slugs. If set, events without a provider are not sent. */
  providers: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Enter slugs such as harrow-bank, one per line.')
        .max(100, 'Enter slugs of at most 100 characters.'),
    )
    .max(100, 'Enter at most 100 providers.'),
  /** Account types of products. Events without an account type are sent regardless. */
  accountTypes: z.array(z.enum(productTypes)).max(productTypes.length),
  /** Minimum rate change for `rate.changed` events, up or down, in basis points; null for any change. Other events are sent regardless. */
  minChangeBp: z.int().min(1).max(10_000).nullable(),
})

export type WebhookInterest = z.infer<typeof WebhookInterest>

export const NewWebhook = WebhookInterest.extend({
  url: z.string().max(2_000, 'Enter a URL of at most 2,000 characters.'),
  description: z
    .string()
    .trim()
    .max(200, 'Enter a name of at most 200 characters.')
    .regex(/^[^\r\n]*$/, 'Enter a name on one line.'),
})

export type NewWebhook = z.infer<typeof NewWebhook>

/** Data for an email about a webhook endpoint. */
export type WebhookNotice = {
  readonly notice: 'held' | 'capped' | 'unacknowledged' | 'failing' | 'disabled' | 'gone'
  readonly endpoint: string
  readonly host: string
  /** Time of the first failure since the last success, ISO 8601; null if there is none. */
  readonly since: string | null
}
