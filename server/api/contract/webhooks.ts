import { z } from 'zod'
import { type AccountType, accountTypeValues } from './account-types.ts'
import { eventTypes } from './events.ts'

/** Endpoints that an account may have at a time. */
export const mostWebhookEndpoints = 20

/** Hours for which the secret before the last rotation signs as well. */
export const oldSecretHours = 24

/** Response bytes that are kept of each attempt. */
export const keptBodyBytes = 2_048

/** Days for which deliveries and their events are kept after what last became of them. What still waits is kept for as long as it does. */
export const keptDeliveryDays = 30

/** Days of attempts that the health of an endpoint is drawn from. */
export const healthDays = 7

/** Deliveries of an endpoint that can be sent again by hand in an hour. */
export const mostSentAgainAnHour = 10_000

/** Up to so many deliveries that wait are counted; beyond it is "more than". */
export const mostCountedWaiting = 10_000

/** `held` waits for credits, or for a month whose cap is spent; `disabled` was switched off by the service, `paused` by its owner. */
export const webhookStates = ['active', 'paused', 'held', 'disabled'] as const

export type WebhookState = (typeof webhookStates)[number]

/** `waiting` for its first attempt or the next one, `dead` after the last, `cancelled` with its endpoint. */
export const deliveryStates = ['waiting', 'delivered', 'dead', 'cancelled'] as const

export type DeliveryState = (typeof deliveryStates)[number]

const productTypes = accountTypeValues.filter((type) => type !== 'all') as [Exclude<AccountType, 'all'>, ...Exclude<AccountType, 'all'>[]]

/** What an endpoint is told of. An empty list lets everything through; a filter looks only at events that have what it looks at. */
export const WebhookInterest = z.object({
  types: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length),
  /** Slugs. An event without a provider passes no list of providers. */
  providers: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Enter slugs such as harrow-bank, one a line.')
        .max(100, 'Enter slugs of at most 100 characters.'),
    )
    .max(100, 'Enter at most 100 providers.'),
  /** Looks at events about products. */
  accountTypes: z.array(z.enum(productTypes)).max(productTypes.length),
  /** Looks at `rate.changed`: the least change up or down, in hundredths of a percent. Null: any. */
  minChangeBp: z.int().min(1).max(10_000).nullable(),
})

export type WebhookInterest = z.infer<typeof WebhookInterest>

export const NewWebhook = WebhookInterest.extend({
  url: z.string().max(2_000, 'Enter an address of at most 2,000 characters.'),
  description: z.string().trim().max(200, 'Enter a name of at most 200 characters.'),
})

export type NewWebhook = z.infer<typeof NewWebhook>

/** What a mail about an endpoint tells. */
export type WebhookNotice = {
  readonly notice: 'held' | 'capped' | 'failing' | 'disabled' | 'gone'
  readonly endpoint: string
  readonly host: string
  /** The first failure since the last success, ISO 8601; null when there is none. */
  readonly since: string | null
}
