import type { Mode } from '#server/api/contract/endpoint.ts'
import type { EventType, MarketEventType } from '#server/api/contract/webhooks.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'

export type WebhookSettings = {
  /** Secret from which the encryption key for endpoint secrets is derived. */
  readonly secret: string
  readonly developmentFeatures: boolean
  /** WEBHOOKS_ALLOW_PRIVATE: allows plain HTTP, any port and private addresses, for tests. */
  readonly allowsPrivate: boolean
}

/** Serialised event data. `dataWithLogos` is for the Enterprise plan, `data` for all others. */
export type WrittenData = { readonly data: string; readonly dataWithLogos: string }

/** Dependencies of the webhooks module. */
export type WebhookDeps = {
  readonly pool: Database
  readonly log: Log
  readonly settings: WebhookSettings
  /** Returns sample data for test events and documentation pages. */
  readonly sample: (type: EventType) => Promise<WrittenData>
}

/** A market event, ready for fan-out. */
export type OutgoingEvent = WrittenData & {
  readonly seq: number
  /** Mode of the endpoints that get the event: `test` for events of the sample market, which are free. */
  readonly mode: Mode
  readonly id: string
  readonly type: MarketEventType
  readonly providerSlug: string | null
  readonly accountType: string | null
  readonly rateChangeBp: number | null
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/** Resolves and checks the addresses of receivers. Tests provide their own implementation. */
export type Reach = {
  /** Returns all addresses of a name. @throws if it has none or the resolver doesn't respond */
  readonly resolve: (host: string) => Promise<readonly string[]>
  /** Returns the reason why an address must not be called, or null if it is allowed. */
  readonly refuses: (address: string) => string | null
}
