import { z } from 'zod'

/** What happens in the market. The data of an event have the shape of a row, or of the item, of the endpoint named here. */
const ofMarket = {
  'rate.changed': { when: 'The rate of a product changed.', carries: 'a history row', shapeOf: 'history.list' },
  'product.added': { when: 'A product was listed.', carries: 'the product', shapeOf: 'rates.get' },
  'product.withdrawn': { when: 'A product was withdrawn.', carries: 'the product as it last stood', shapeOf: 'rates.get' },
  'switch_offer.changed': { when: 'A switch offer began, changed or ended.', carries: 'the offer', shapeOf: 'switch-offers' },
} as const satisfies Record<string, { when: string; carries: string; shapeOf: string }>

/** A balance that fell to a threshold of the account's alerts. */
export const LowBalance = z.object({
  account: z.string().describe('Id of the account, as in `/me`.'),
  thresholdCredits: z.int().min(0).describe('The lowest threshold that the balance has fallen to. One is told once, until credits come in.'),
  balanceCredits: z.int().describe('Balance at that moment in service credits; below zero after a refund of credits that were spent.'),
  at: z.iso.datetime().describe('The moment that the balance is of, UTC.'),
  topUp: z.url().describe('Page at which the account tops up.'),
})

export type LowBalance = z.infer<typeof LowBalance>

/** What happens to the account itself. These are free, carry nothing of the market, and are held back by neither credits nor filters. */
const ofAccount = {
  'balance.low': { when: 'Your balance fell to a threshold of your alerts.', carries: 'the threshold and the balance', shape: LowBalance },
} as const satisfies Record<string, { when: string; carries: string; shape: z.ZodType }>

/** What webhooks tell of. */
export const events = { ...ofMarket, ...ofAccount }

export type MarketEventType = keyof typeof ofMarket

export type AccountEventType = keyof typeof ofAccount

export type EventType = MarketEventType | AccountEventType

export const marketEventTypes = Object.keys(ofMarket) as [MarketEventType, ...MarketEventType[]]

export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

export const isOfAccount = (type: EventType): type is AccountEventType => type in ofAccount

/** Price of an event of the market, taken once, when a receiver first answers with 2xx. Retries, test events and events of the account are free. */
export const creditsPerEvent = 5

/** What a low balance looks like, for test events and documents. */
export const sampleLowBalance = (publicUrl: string, at: string): LowBalance => ({
  account: 'acc_4Fzq8LmT0aWc2XyP',
  thresholdCredits: 50,
  balanceCredits: 47,
  at,
  topUp: topUpUrl(publicUrl),
})

export const topUpUrl = (publicUrl: string): string => `${publicUrl}/portal/billing/top-up`

/** How long a receiver has to answer, and how old a signature may be. */
export const deliveryTimeoutSeconds = 10
export const signatureAgeSeconds = 300

/** Minutes from one failed attempt to the next. After the last of them the delivery is dead, and can be sent again from the portal. */
export const retryMinutes = [1, 5, 30, 120, 720] as const
