import type { Pool } from 'pg'
import type { EventType, MarketEventType } from '#server/api/contract/events.ts'
import type { Log } from '#server/observability/log.ts'
import type { AddressRule } from './refused-address.ts'

export type WebhookSettings = {
  /** Seals the secrets of endpoints. */
  readonly secret: string
  readonly developmentFeatures: boolean
  /** WEBHOOKS_ALLOW_PRIVATE: plain HTTP, any port and addresses that are not public, for tests. */
  readonly allowsPrivate: boolean
}

/** The data of an event, written out: as every plan sees them, and as Enterprise does. */
export type WrittenData = { readonly data: string; readonly dataWithLogos: string }

/** What the room needs of the process that it works in. */
export type WebhookRoom = {
  readonly pool: Pool
  readonly log: Log
  readonly settings: WebhookSettings
  /** Data of the sample, for test events and for pages. */
  readonly sample: (type: EventType) => Promise<WrittenData>
}

/** An event of the market, ready to be handed to endpoints. */
export type OutgoingEvent = WrittenData & {
  readonly seq: number
  readonly id: string
  readonly type: MarketEventType
  readonly providerSlug: string | null
  readonly accountType: string | null
  readonly rateChangeBp: number | null
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/** How a sender finds its receivers; tests have a resolver and a rule of their own. */
export type Reach = {
  /** Every address of a name. @throws when it has none or the resolver does not answer. */
  readonly resolve: (host: string) => Promise<readonly string[]>
  /** Why an address may not be called; null: it may. */
  readonly refuses: AddressRule
}
