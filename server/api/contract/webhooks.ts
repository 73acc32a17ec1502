import { z } from 'zod'
import { type AccountType, accountTypeValues } from './account-types.ts'
import { eventTypes } from './events.ts'

/** Maximum webhook endpoints per account. */
export const maxWebhookEndpoints = 20

/** Hours after a rotation in which deliveries are also signed with the previous secret. */
export const oldSecretHours = 24

/** Response bytes stored per attempt. */
export const keptBodyBytes = 2_048

/** Days for which finished deliveries and their events are kept. Pending deliveries are kept until they finish. */
export const keptDeliveryDays = 30

/** Number of days whose attempts determine the health of an endpoint. */
export const healthDays = 7

/** Maximum manual redeliveries per endpoint and hour. */
export const maxSentAgainAnHour = 10_000

/** Maximum pending deliveries that are counted; above it the UI says "more than". */
export const maxCountedWaiting = 10_000

/** `held` waits for credits, or for the next month if the cap is used up; `disabled` was switched off by the service, `paused` by its owner. */
export const webhookStates = ['active', 'paused', 'held', 'disabled'] as const

export type WebhookState = (typeof webhookStates)[number]

/** `waiting` for the next attempt, `dead` after the last one, `cancelled` with its endpoint. */
export const deliveryStates = ['waiting', 'delivered', 'dead', 'cancelled'] as const

export type DeliveryState = (typeof deliveryStates)[number]

const productTypes = accountTypeValues.filter((type) => type !== 'all') as [Exclude<AccountType, 'all'>, ...Exclude<AccountType, 'all'>[]]

/** Subscription of a webhook endpoint. An empty list matches everything; a filter applies only to events that have the filtered property. */
export const WebhookInterest = z.object({
  types: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length),
  /** Provider slugs. If set, events without a provider are not sent. */
  providers: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Enter slugs such as harrow-bank, one per line.')
        .max(100, 'Enter slugs of at most 100 characters.'),
    )
    .max(100, 'Enter at most 100 providers.'),
  /** Applies to product events. */
  accountTypes: z.array(z.enum(productTypes)).max(productTypes.length),
  /** Applies to `rate.changed`: minimum change up or down, in hundredths of a percent. Null for any change. */
  minChangeBp: z.int().min(1).max(10_000).nullable(),
})

export type WebhookInterest = z.infer<typeof WebhookInterest>

export const NewWebhook = WebhookInterest.extend({
  url: z.string().max(2_000, 'Enter a URL of at most 2,000 characters.'),
  description: z.string().trim().max(200, 'Enter a name of at most 200 characters.'),
})

export type NewWebhook = z.infer<typeof NewWebhook>

/** Email about a webhook endpoint. */
export type WebhookNotice = {
  readonly notice: 'held' | 'capped' | 'failing' | 'disabled' | 'gone'
  readonly endpoint: string
  readonly host: string
  /** First failure since the last success, ISO 8601; null if there is none. */
  readonly since: string | null
}
