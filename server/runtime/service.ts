import type { Pool } from 'pg'
import { publishedChanges } from '#server/admin/changelog/changelog.ts'
import { type LicencePlace, licencePlace, publishedLicence } from '#server/admin/publishing/licences.ts'
import type { ChangelogEntry } from '#server/api/contract/changelog.ts'
import { legacyDeprecation, legacySunset } from '#server/api/contract/legacy.ts'
import type { Operations } from '#server/api/contract/operations.ts'
import type { DocsFacts } from '#server/api/documents/docs/docs-facts.ts'
import { postmanText } from '#server/api/documents/postman.ts'
import { securityText } from '#server/api/documents/site/security-text.ts'
import { registry } from '#server/api/endpoints/registry.ts'
import { LegacyApi } from '#server/api/http/legacy.ts'
import { ToolServer } from '#server/api/http/mcp.ts'
import { Router } from '#server/api/http/router.ts'
import { SiteConsole } from '#server/api/http/site-console.ts'
import { summarise } from '#server/api/pipeline/account-summary.ts'
import { Gate, type GateParts } from '#server/api/pipeline/admit.ts'
import { Cursors } from '#server/api/pipeline/cursor.ts'
import { LegacySealer } from '#server/api/pipeline/legacy-seal.ts'
import { PageTags } from '#server/api/pipeline/page-tags.ts'
import { Sealer } from '#server/api/pipeline/seal.ts'
import { SharedFactsHolder } from '#server/api/pipeline/shared-facts.ts'
import { documentFacts, PublishedDocuments, type ToPostman } from '#server/api/published-documents.ts'
import type { AuthRoom } from '#server/auth/auth-room.ts'
import type { BillingRoom } from '#server/billing/billing-room.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { receiveEvent, refuseUnread } from '#server/billing/receive-event.ts'
import { chooseSimulated, getSimulatedCheckout, type SimulatedChoice, type SimulatedPage } from '#server/billing/simulated-checkout.ts'
import { clock } from '#server/clock.ts'
import { databaseSize } from '#server/db/database-size.ts'
import { Replica } from '#server/db/replica.ts'
import type { Env } from '#server/env.ts'
import { readJobRuns } from '#server/jobs/job-runs.ts'
import { KeyFactsCache } from '#server/keys/key-facts.ts'
import { KeyUses } from '#server/keys/key-uses.ts'
import type { MarketDeps } from '#server/market/admin/market-deps.ts'
import { type PageFacts, pageFacts } from '#server/market/page-facts.ts'
import { createPictures, type Pictures } from '#server/market/pictures.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import { Admission } from '#server/metering/admission.ts'
import { RefusedCalls } from '#server/metering/refused-calls.ts'
import { RequestDetails } from '#server/metering/request-details.ts'
import { readSpendable } from '#server/metering/spendable.store.ts'
import { getRecentUptime, type UptimeDay } from '#server/metering/uptime-checks.ts'
import { getUsageSummary } from '#server/metering/usage.ts'
import type { Health } from '#server/observability/health.ts'
import type { Log } from '#server/observability/log.ts'
import type { EventSource } from '#server/webhooks/fan-out.ts'
import type { WebhookRoom } from '#server/webhooks/webhook-room.ts'
import { consoleKey, keysForConsole } from './console-key.ts'
import { openChecks, openHealth } from './readiness.ts'
import { type EventNeeds, marketEvents, sampleEvents } from './webhook-events.ts'

/** The API of one process, put together: everything that the mounts need. */
export type Service = Pictures & {
  readonly gate: Gate
  readonly router: Router
  readonly tools: ToolServer
  /** The API that partners used before v1. */
  readonly legacy: LegacyApi
  /** The OpenAPI document and the Postman collection. */
  readonly documents: PublishedDocuments
  /** What the pages of the documentation tell of. */
  readonly docs: () => DocsFacts
  /** Calls of visitors without a key, on sample data, and of accounts with their keys. */
  readonly console: SiteConsole
  /** What sign-in and the portal work with. */
  readonly auth: AuthRoom
  /** What payments and the ledger work with. */
  readonly billing: BillingRoom
  /** What webhooks work with, and the events that they tell of. */
  readonly webhooks: WebhookRoom
  readonly events: EventSource
  /** The page that takes the place of Stripe's, where there is one. */
  readonly simulatedCheckout: {
    read: (id: string) => Promise<SimulatedPage | null>
    /** Where the browser goes then; null: there is no such page. */
    choose: (id: string, choice: SimulatedChoice) => Promise<string | null>
  }
  /** Takes in events of Stripe. */
  readonly stripe: {
    receive: (body: Uint8Array, signature: string | null) => Promise<{ status: number; body: object }>
    refuseUnread: (signature: string | null) => { status: number; body: object } | null
    log: Log
  }
  readonly publicUrl: string
  /** Where people write who need help; null: the operator named no address. */
  readonly supportEmail: string | null
  /** Where faults of security are told, as a file of its own; null: the operator has not said. */
  readonly securityText: () => string | null
  readonly health: Health
  /** How full the admission path of this process is. */
  readonly admission: Pick<Admission, 'depth' | 'connections'>
  /** How far the clock of this process is ahead of the database's, in seconds; null: not measured yet. */
  readonly clockSkew: () => number | null
  /** Whether the database takes writes; null: unknown, because it does not answer. */
  readonly isWritable: () => Promise<boolean | null>
  /** Whether history is read from the replica just now; null: there is none. */
  readonly isReplicaUsed: () => boolean | null
  /** The market as this process last read it, for pages and logos. */
  readonly market: () => MarketSnapshot
  /** What the desk works with on the market, and what it is told of this process. */
  readonly marketRoom: MarketDeps
  readonly operations: Operations
  /** What pages show of the past. */
  readonly pages: PageFacts
  /** What has been announced up to now, newest first. */
  readonly changelog: () => Promise<ChangelogEntry[]>
  /** The text of a version of the Data Licence that was published at the desk; null: there is none with this label. */
  readonly licence: (label: string) => Promise<string | null>
  readonly licencePlace: (label: string, bundled: readonly string[]) => Promise<LicencePlace | null>
  readonly readings: () => Promise<readonly UptimeDay[]>
  close: () => Promise<void>
}

export type ServiceSettings = Pick<
  Env,
  | 'publicUrl'
  | 'securityContact'
  | 'supportEmail'
  | 'deprecation'
  | 'sunset'
  | 'providers'
  | 'smtp'
  | 'payment'
  | 'developmentFeatures'
  | 'webhooksAllowPrivate'
  | 'marketSources'
  | 'isPooled'
  | 'replicaUrl'
> & {
  databaseUrl: string
  secret: string
  /** How the Postman collection is made; here unless a process has a thread for it. */
  toPostman?: ToPostman
}

const refreshEveryMs = 5_000

/** The partner API: the gate of v1 with keys of its own kind and answers without an envelope. */
function legacyOf({ notes: _, ...parts }: GateParts, pool: Pool): LegacyApi {
  const { publicUrl, cursors } = parts
  const sealer = new LegacySealer({ publicUrl, cursors, deprecation: legacyDeprecation, sunset: legacySunset })
  return new LegacyApi(new Gate({ ...parts, keys: new KeyFactsCache(pool), audience: 'partner', sealer }), publicUrl)
}

/** What was announced, and what was read of the service. */
const publishedIn = (pool: Pool): Pick<Service, 'changelog' | 'readings' | 'licence' | 'licencePlace'> => ({
  changelog: () => publishedChanges(pool),
  readings: () => getRecentUptime(pool),
  licence: (label) => publishedLicence(pool, label),
  licencePlace: (label, bundled) => licencePlace(pool, label, bundled),
})

/** Webhooks, written out with the market as it is at that moment. */
function webhooksOf({ secret, publicUrl, developmentFeatures, webhooksAllowPrivate }: ServiceSettings, pool: Pool, shared: SharedFactsHolder, log: Log) {
  const market = () => shared.refresh().then(() => shared.current.market)
  const needs: EventNeeds = { pool, publicUrl, market, now: () => clock.now() }
  const settings = { secret, developmentFeatures, allowsPrivate: webhooksAllowPrivate }
  return { webhooks: { pool, log, settings, sample: sampleEvents(needs) }, events: marketEvents(needs) }
}

/** Opens the connections and loads the shared facts. The pool is the caller's; it is not closed here. */
export async function startService(settings: ServiceSettings, pool: Pool, log: Log, pendingMigrations: () => Promise<string[]>): Promise<Service> {
  const { databaseUrl, secret, publicUrl, deprecation, sunset } = settings
  const admission = new Admission(databaseUrl, log, settings.isPooled)
  const replica = settings.replicaUrl === null ? null : new Replica(settings.replicaUrl, pool, log)
  const shared = await SharedFactsHolder.load(pool, replica?.read)
  const checks = await openChecks(pool, admission.writes, log)
  const cursors = new Cursors(secret)
  await admission.open()
  // A call always meets the newest facts; pages and logos, which ask the statement nothing, follow within seconds.
  const refreshing = setInterval(() => {
    shared.refresh().catch((error: unknown) => log.warn({ err: error }, 'The shared facts could not be read; trying again.'))
  }, refreshEveryMs).unref()
  const beside = { uses: new KeyUses(pool, log), notes: new RequestDetails(pool, log), refused: new RefusedCalls(pool, log) }
  const parts: GateParts = {
    ...beside,
    keys: new KeyFactsCache(pool),
    shared,
    admission,
    sealer: new Sealer({ publicUrl, cursors, deprecation, sunset }),
    cursors,
    tags: new PageTags(secret),
    publicUrl,
    log,
    spendable: ({ accountId, keyId }) => readSpendable(pool, accountId, keyId),
    summarise: async (facts, current) => summarise(facts, await getUsageSummary(pool, facts.accountId), registry, current),
  }
  const gate = new Gate(parts)
  const router = new Router(registry)
  const billing = openBilling({ ...settings.payment, developmentFeatures: settings.developmentFeatures, publicUrl, secret }, pool, log)
  return {
    gate,
    router,
    tools: new ToolServer({ gate, router, publicUrl, log }),
    legacy: legacyOf(parts, pool),
    documents: new PublishedDocuments(settings, () => shared.current, settings.toPostman ?? postmanText, log),
    docs: () => ({ ...documentFacts(settings, shared.current), live: shared.current.market.dataset('live') }),
    console: new SiteConsole({ gate, router, publicUrl, key: consoleKey(pool, secret), own: keysForConsole(pool) }),
    ...publishedIn(pool),
    billing,
    ...webhooksOf(settings, pool, shared, log),
    stripe: {
      receive: (body, signature) => receiveEvent(billing, body, signature),
      refuseUnread: (signature) => refuseUnread(billing, signature),
      log,
    },
    simulatedCheckout: { read: (id) => getSimulatedCheckout(billing, id), choose: (id, choice) => chooseSimulated(billing, id, choice) },
    auth: { pool, log, secret, publicUrl, providers: settings.providers, showsOutbox: settings.smtp === null && settings.developmentFeatures },
    publicUrl,
    securityText: () => (settings.securityContact === null ? null : securityText(settings.securityContact, publicUrl, clock.now())),
    supportEmail: settings.supportEmail,
    admission,
    isReplicaUsed: () => replica?.isUsed ?? null,
    health: openHealth({ pool, shared, isWritable: checks.figures.isWritable, pendingMigrations, log }),
    ...checks.figures,
    market: () => shared.current.market,
    marketRoom: { pool, sources: settings.marketSources, now: () => clock.now() },
    operations: { jobRuns: () => readJobRuns(pool), databaseSize: () => databaseSize(pool) },
    pages: pageFacts(pool, () => clock.now()),
    ...createPictures(() => shared.current.market),
    close: async () => {
      clearInterval(refreshing)
      checks.close()
      await admission.close()
      await Promise.all(Object.values(beside).map((one) => one.close()))
      await replica?.close()
    },
  }
}
