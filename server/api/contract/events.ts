import { z } from 'zod'

/** Market events. The data of an event has the schema of a row (or the item) of the endpoint named in `schemaSource`. */
const ofMarket = {
  'rate.changed': { when: 'The rate of a product changed.', carries: 'a history row', schemaSource: 'history.list' },
  'product.added': { when: 'A product was listed.', carries: 'the product', schemaSource: 'rates.get' },
  'product.withdrawn': { when: 'A product was withdrawn.', carries: 'the last version of the product', schemaSource: 'rates.get' },
  'switch_offer.changed': { when: 'A switch offer started, changed or ended.', carries: 'the offer', schemaSource: 'switch-offers' },
} as const satisfies Record<string, { when: string; carries: string; schemaSource: string }>

/** Data of `balance.low`: the balance fell to one of the account's alert thresholds. */
export const LowBalance = z.object({
  account: z.string().describe('Account id, as in `/me`.'),
  thresholdCredits: z.int().min(0).describe('The lowest threshold that the balance has fallen to. Each is sent once until credits are added.'),
  balanceCredits: z.int().describe('Balance in service credits at that time; negative after a refund of spent credits.'),
  at: z.iso.datetime().describe('Time of the balance, UTC.'),
  topUp: z.url().describe('URL of the top-up page.'),
})

export type LowBalance = z.infer<typeof LowBalance>

/** Account events. They are free, carry no market data, and are sent regardless of credits and filters. */
const ofAccount = {
  'balance.low': { when: 'Your balance fell to one of your alert thresholds.', carries: 'the threshold and the balance', shape: LowBalance },
} as const satisfies Record<string, { when: string; carries: string; shape: z.ZodType }>

/** Every webhook event type. */
export const events = { ...ofMarket, ...ofAccount }

export type MarketEventType = keyof typeof ofMarket

export type AccountEventType = keyof typeof ofAccount

export type EventType = MarketEventType | AccountEventType

export const marketEventTypes = Object.keys(ofMarket) as [MarketEventType, ...MarketEventType[]]

export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

export const isOfAccount = (type: EventType): type is AccountEventType => type in ofAccount

/** Price of a market event, charged once, when a receiver first returns 2xx. Retries, test events and account events are free. */
export const creditsPerEvent = 5

/** Returns an example of `balance.low` for test events and documents. */
export const sampleLowBalance = (publicUrl: string, at: string): LowBalance => ({
  account: 'acc_4Fzq8LmT0aWc2XyP',
  thresholdCredits: 50,
  balanceCredits: 47,
  at,
  topUp: topUpUrl(publicUrl),
})

export const topUpUrl = (publicUrl: string): string => `${publicUrl}/portal/billing/top-up`

/** Time limit for a receiver to respond, and maximum age of a signature. */
export const deliveryTimeoutSeconds = 10
export const signatureAgeSeconds = 300

/** Minutes from one failed attempt to the next. After the last one the delivery is dead; it can be redelivered from the portal. */
export const retryMinutes = [1, 5, 30, 120, 720] as const
