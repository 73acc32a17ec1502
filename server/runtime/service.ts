import { publishedChanges } from '#server/admin/changelog/changelog.ts'
import { licencePlace, publishedLicence } from '#server/admin/publishing/data-licence.ts'
import { readSubscription, unsubscribe } from '#server/alerts/unsubscribe.ts'
import { legacyDeprecation, legacySunset } from '#server/api/contract/legacy.ts'
import { postmanText } from '#server/api/documents/postman.ts'
import type { DocsData } from '#server/api/documents/published-values.ts'
import { securityText } from '#server/api/documents/site/security-text.ts'
import { allEndpoints } from '#server/api/endpoints/registry.ts'
import { createLegacyApi } from '#server/api/http/legacy.ts'
import { ToolServer } from '#server/api/http/mcp.ts'
import { Router } from '#server/api/http/router.ts'
import { SiteConsole } from '#server/api/http/site-console.ts'
import { ConfigSnapshotHolder } from '#server/api/pipeline/config-snapshot.ts'
import { summarise } from '#server/api/pipeline/key-and-account-checks.ts'
import { Cursors, PageTags } from '#server/api/pipeline/page.ts'
import { Pipeline, type PipelineParts } from '#server/api/pipeline/pipeline.ts'
import { LegacyResponseBuilder, ResponseBuilder } from '#server/api/pipeline/response-builder.ts'
import { documentData, PublishedDocuments, type ToPostman } from '#server/api/published-documents.ts'
import type { BillingDeps } from '#server/billing/billing-deps.ts'
import { openBilling } from '#server/billing/open-billing.ts'
import { receiveEvent, refuseUnread } from '#server/billing/receive-stripe-event.ts'
import { chooseSimulated, getSimulatedCheckout, type SimulatedChoice } from '#server/billing/simulated-payments.ts'
import { clock } from '#server/clock.ts'
import { onPrimaryChange } from '#server/db/primary-client.ts'
import type { Database } from '#server/db/prisma.ts'
import { Replica } from '#server/db/replica.ts'
import { watchHistory } from '#server/db/watch-history.ts'
import type { Env } from '#server/env.ts'
import { sendCallJobs } from '#server/jobs/call-jobs.ts'
import { KeyRecordCache } from '#server/keys/key-record.ts'
import { KeyUses } from '#server/keys/key-uses.ts'
import { pageData } from '#server/market/page-data.ts'
import { createPictures } from '#server/market/pictures.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'
import { createAdmission } from '#server/metering/admission-router.ts'
import { RefusedCalls } from '#server/metering/refused-calls.ts'
import { RequestDetails } from '#server/metering/request-details.ts'
import { getRecentUptime } from '#server/metering/service-state.ts'
import { getLatency } from '#server/metering/traffic.ts'
import { readSpendable } from '#server/metering/usage.sql.ts'
import { getUsageSummary } from '#server/metering/usage.ts'
import type { Log } from '#server/observability/log.ts'
import { publishedIncidents } from '#server/status/incidents.ts'
import { findSubscriber } from '#server/status/subscribers.ts'
import { alertFilters } from './alert-filters.ts'
import { consoleKey, keysForConsole } from './console-key.ts'
import { dailyFiles } from './daily-files.ts'
import { openOwnAccount } from './own-account.ts'
import { openChecks, openHealth } from './readiness.ts'
import { type EventNeeds, marketEvents, sampleEvents } from './webhook-events.ts'

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
  /** Builds the Postman collection. The default runs on the calling thread; the service's own processes use a worker thread. */
  toPostman?: ToPostman
}

const refreshEveryMs = 5_000

/** Creates the partner API: the v1 request pipeline with its own kind of key and responses without an envelope. */
function getLegacy({ notes: _, ...parts }: PipelineParts, keys: KeyRecordCache) {
  const { publicUrl, cursors } = parts
  const responseBuilder = new LegacyResponseBuilder({ publicUrl, cursors, deprecation: legacyDeprecation, sunset: legacySunset })
  return createLegacyApi(new Pipeline({ ...parts, keys, audience: 'partner', responseBuilder }), publicUrl)
}

/** Returns functions that read the published content and the uptime checks. */
const publishedIn = (pool: Database) => ({
  /** Returns the published changelog entries, newest first. */
  changelog: () => publishedChanges(pool),
  readings: () => getRecentUptime(pool),
  /** Returns response times of the API. */
  latency: () => getLatency(pool),
  /** Returns the incidents of the status page, newest first. */
  incidents: () => publishedIncidents(pool),
  /** Returns a subscriber of status emails by the id in their links; null if there is none. */
  subscriber: (id: string) => findSubscriber(pool, id),
  /** Returns the text of a Data Licence version published in the admin, or null if there is none with this label. */
  licence: (label: string) => publishedLicence(pool, label),
  licencePlace: (label: string, bundled: readonly string[]) => licencePlace(pool, label, bundled),
})

/** Creates the dependencies of webhooks and market alerts, and the sources of webhook events and daily files. Their data comes from the current market. */
function getMarketJobs(
  { secret, publicUrl, developmentFeatures, webhooksAllowPrivate }: ServiceSettings,
  pool: Database,
  shared: ConfigSnapshotHolder,
  log: Log,
) {
  const market = async () => {
    // Refreshes twice, because callers share refreshes: the first may have begun before the latest import was committed.
    await shared.refresh()
    await shared.refresh()
    return shared.current.market
  }
  const needs: EventNeeds = { pool, publicUrl, market, now: () => clock.now() }
  const settings = { secret, developmentFeatures, allowsPrivate: webhooksAllowPrivate }
  return {
    webhooks: { pool, log, settings, sample: sampleEvents(needs) },
    samplesOf: (snapshot: MarketSnapshot) => sampleEvents({ ...needs, market: async () => snapshot }),
    events: marketEvents(needs),
    dailyFiles: dailyFiles(needs),
    /** Reads and ends market alert emails, for the links in those emails. */
    alertSubscriptions: { read: (token: string) => readSubscription({ pool, secret }, token), end: (token: string) => unsubscribe({ pool, secret }, token) },
    alerts: { pool, log, secret, filters: alertFilters, current: () => shared.current.market, latest: market },
  }
}

type EventAnswer = { status: number; body: object }

/** Returns the handlers of Stripe webhook events and of the simulated checkout. */
const getPayments = (billing: BillingDeps, log: Log) => ({
  /** Receives Stripe webhook events. */
  stripe: {
    receive: (body: Uint8Array, signature: string | null): Promise<EventAnswer> => receiveEvent(billing, body, signature),
    refuseUnread: (signature: string | null): EventAnswer | null => refuseUnread(billing, signature),
    log,
  },
  /** Simulated checkout page that replaces Stripe's in development. `choose` returns the URL to redirect the browser to, or null if there is no such page. */
  simulatedCheckout: {
    read: (id: string) => getSimulatedCheckout(billing, id),
    choose: (id: string, choice: SimulatedChoice) => chooseSimulated(billing, id, choice),
  },
})

/** The support address is the contact if no other is configured. */
function getSecurityText({ securityContact, supportEmail, publicUrl }: ServiceSettings): string | null {
  const contact = securityContact ?? (supportEmail && `mailto:${supportEmail}`)
  return contact === null ? null : securityText(contact, publicUrl, clock.now())
}

/** Opens the caches of key records. Empties them and reloads the config snapshot after a failover, because the new primary may reuse version numbers. */
function openKeys(pool: Database, shared: ConfigSnapshotHolder) {
  const [keys, partnerKeys] = [new KeyRecordCache(pool), new KeyRecordCache(pool)]
  const close = onPrimaryChange(() => {
    shared.invalidate()
    keys.clear()
    partnerKeys.clear()
  })
  return { keys, partnerKeys, close }
}

/**
 * Refreshes the config snapshot every five seconds. API calls always use the latest config, because admission detects a stale snapshot, but pages and logos
 * skip admission. Every two minutes, also checks for a failover behind a single address, after which versions can't be compared.
 */
function refreshConfig(pool: Database, shared: ConfigSnapshotHolder, log: Log): NodeJS.Timeout {
  const checkHistory = watchHistory(pool, 24)
  const refresh = () => checkHistory().then(() => shared.refresh())
  const start = () => void refresh().catch((error: unknown) => log.warn({ err: error }, 'Failed to refresh the config snapshot. Retrying.'))
  return setInterval(start, refreshEveryMs).unref()
}

/** Opens the admission connections and loads the config snapshot. The caller owns the pool: closing the service does not close it. */
export async function startService(settings: ServiceSettings, pool: Database, log: Log, pendingMigrations: () => Promise<string[]>) {
  const { databaseUrl, secret, publicUrl, deprecation, sunset } = settings
  const admission = await createAdmission(databaseUrl, pool, log, settings.isPooled)
  const replica = settings.replicaUrl === null ? null : new Replica(settings.replicaUrl, pool, log)
  const shared = await ConfigSnapshotHolder.load(pool, replica?.read)
  const [checks, caches] = [await openChecks(pool, admission.writes, log), openKeys(pool, shared)]
  const cursors = new Cursors(secret)
  await admission.open()
  const timers = [refreshConfig(pool, shared, log), sendCallJobs(pool, admission.writes, log)]
  const marketJobs = getMarketJobs(settings, pool, shared, log)
  const recorders = { uses: new KeyUses(pool, log), notes: new RequestDetails(pool, log), refused: new RefusedCalls(pool, log) }
  const parts: PipelineParts = {
    ...recorders,
    keys: caches.keys,
    shared,
    admission,
    responseBuilder: new ResponseBuilder({ publicUrl, cursors, deprecation, sunset }),
    cursors,
    tags: new PageTags(secret),
    publicUrl,
    log,
    spendable: ({ accountId, keyId }) => readSpendable(pool, accountId, keyId),
    summarise: async (facts, current) => summarise(facts, await getUsageSummary(pool, facts.accountId), allEndpoints, current),
    ...openOwnAccount({ pool, secret, webhooks: marketJobs.webhooks, alerts: marketJobs.alerts, samplesOf: marketJobs.samplesOf }),
  }
  const pipeline = new Pipeline(parts)
  const router = new Router(allEndpoints)
  const billing = openBilling({ ...settings.payment, developmentFeatures: settings.developmentFeatures, publicUrl, secret }, pool, log)
  return {
    pipeline,
    router,
    tools: new ToolServer({ pipeline, router, publicUrl, log }),
    /** Partner API, the predecessor of v1. */
    legacy: getLegacy(parts, caches.partnerKeys),
    /** The OpenAPI document and the Postman collection. */
    documents: new PublishedDocuments(settings, () => shared.current, settings.toPostman ?? postmanText, log),
    /** Returns the data for the documentation pages. */
    docs: (): DocsData => ({ ...documentData(settings, shared.current), live: shared.current.market.dataset('live'), supportEmail: settings.supportEmail }),
    /** Runs the calls of the website's console: on sample data without a key, or with a key of the signed-in account. */
    console: new SiteConsole({ pipeline, router, publicUrl, key: consoleKey(pool, secret), own: keysForConsole(pool) }),
    ...publishedIn(pool),
    billing,
    ...marketJobs,
    ...getPayments(billing, log),
    auth: { pool, log, secret, publicUrl, providers: settings.providers, showsOutbox: settings.smtp === null && settings.developmentFeatures },
    publicUrl,
    log,
    /** Returns the text of security.txt, or null without a contact. */
    securityText: () => getSecurityText(settings),
    /** Support email address; null if none is configured. */
    supportEmail: settings.supportEmail,
    admission,
    /** Returns true if history is currently read from the replica, or null if there is no replica. */
    isReplicaUsed: () => replica?.isUsed ?? null,
    health: openHealth({ pool, shared, isWritable: checks.figures.isWritable, pendingMigrations, log }),
    ...checks.figures,
    /** Reloads the shared configuration and the market if they have changed. */
    refresh: () => shared.refresh(),
    /** Version of everything that public pages show, as last read by this process. */
    contentVersion: () => `${shared.current.version} ${shared.current.market.version} ${shared.current.licence}`,
    /** Returns the market snapshot that this process last read, for pages and logos. */
    market: () => shared.current.market,
    marketDeps: { pool, sources: settings.marketSources, now: () => clock.now(), statistics: () => shared.current.market.dataset('live').statistics },
    /** Reads data that pages show but the market snapshot doesn't contain. */
    pages: pageData(pool, () => clock.now()),
    ...createPictures(() => shared.current.market),
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      for (const one of [checks, caches]) one.close()
      await admission.close()
      await Promise.all(Object.values(recorders).map((one) => one.close()))
      await replica?.close()
    },
  }
}

/** Components of the service in one process, used by its HTTP server and by Next. */
export type Service = Awaited<ReturnType<typeof startService>>
