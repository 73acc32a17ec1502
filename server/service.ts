import type { Pool } from 'pg'
import { registry } from './endpoints/registry.ts'
import type { Env } from './env.ts'
import { summarise } from './gate/account-summary.ts'
import { Gate } from './gate/admit.ts'
import { Cursors } from './gate/cursor.ts'
import { Sealer } from './gate/seal.ts'
import { SharedFactsHolder } from './gate/shared-facts.ts'
import type { Health } from './health.ts'
import { KeyFactsCache } from './keys/key-facts.ts'
import type { Log } from './log.ts'
import { cardSvg } from './market/card-image.ts'
import { datasets } from './market/dataset.ts'
import { monogramSvg } from './market/logo.ts'
import type { MarketSnapshot } from './market/snapshot.ts'
import { Admission } from './metering/admission.ts'
import { usageOf } from './metering/usage.ts'
import { Router } from './transports/router.ts'

/** The API of one process, put together: everything that the mounts need. */
export type Service = {
  readonly gate: Gate
  readonly router: Router
  readonly trustProxy: number
  readonly health: Health
  /** The market as this process last read it, for pages and logos. */
  readonly market: () => MarketSnapshot
  /** The monogram of an active provider as SVG; null when there is none. */
  readonly logo: (dataset: string, slug: string) => string | null
  /** The drawn picture of a card as SVG; null when there is no such card. */
  readonly cardImage: (dataset: string, sourceKey: string) => string | null
  close: () => Promise<void>
}

export type ServiceSettings = Pick<Env, 'trustProxy' | 'publicUrl' | 'deprecation' | 'sunset'> & { databaseUrl: string; secret: string }

const readyWithinMs = 2_000
const refreshEveryMs = 5_000

async function isReachable(pool: Pool): Promise<boolean> {
  const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), readyWithinMs).unref())
  const query = pool.query('SELECT 1').then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}

const told = (log: Log) => (error: unknown) => {
  // A check that cannot be made is a check that failed; the reason is for the log.
  log.warn({ err: error }, 'A readiness check was cut off.')
  return false
}

const isRead = (shared: SharedFactsHolder, log: Log) => shared.refresh().then(() => true, told(log))

const isMigrated = (pending: () => Promise<string[]>, log: Log) => pending().then((names) => names.length === 0, told(log))

function healthOf(pool: Pool, shared: SharedFactsHolder, pending: () => Promise<string[]>, log: Log): Health {
  return {
    live: () => ({ status: 200, body: { ok: true } }),
    ready: async () => {
      const database = (await isReachable(pool)) && (await isRead(shared, log))
      const migrated = database && (await isMigrated(pending, log))
      const market = shared.current.market.dataset('live').productCount > 0
      const ok = database && migrated && market
      return { status: ok ? 200 : 503, body: { ok, database, migrated, market } }
    },
  }
}

function logoOf(market: MarketSnapshot, name: string, slug: string): string | null {
  const dataset = datasets.find((known) => known === name)
  const provider = dataset && market.dataset(dataset).provider(slug)
  return provider?.colour ? monogramSvg(provider.name, provider.colour) : null
}

function cardImageOf(market: MarketSnapshot, name: string, sourceKey: string): string | null {
  const dataset = datasets.find((known) => known === name)
  const card = dataset && market.dataset(dataset).card(sourceKey)
  return card ? cardSvg(card) : null
}

/** Opens the connections and loads the shared facts. The pool is the caller's; it is not closed here. */
export async function startService(settings: ServiceSettings, pool: Pool, log: Log, pendingMigrations: () => Promise<string[]>): Promise<Service> {
  const { databaseUrl, secret, publicUrl, deprecation, sunset, trustProxy } = settings
  const admission = new Admission(databaseUrl, log)
  const shared = await SharedFactsHolder.load(pool)
  const cursors = new Cursors(secret)
  await admission.open()
  // A call always meets the newest facts; pages and logos, which ask the statement nothing, follow within seconds.
  const refreshing = setInterval(() => {
    shared.refresh().catch((error: unknown) => log.warn({ err: error }, 'The shared facts could not be read; trying again.'))
  }, refreshEveryMs)
  refreshing.unref()
  const gate = new Gate({
    keys: new KeyFactsCache(pool),
    shared,
    admission,
    sealer: new Sealer({ publicUrl, cursors, deprecation, sunset }),
    cursors,
    publicUrl,
    log,
    summarise: async (facts, current) => summarise(facts, await usageOf(pool, facts.accountId), registry, current),
  })
  return {
    gate,
    router: new Router(registry),
    trustProxy,
    health: healthOf(pool, shared, pendingMigrations, log),
    market: () => shared.current.market,
    cardImage: (dataset, sourceKey) => cardImageOf(shared.current.market, dataset, sourceKey),
    logo: (dataset, slug) => logoOf(shared.current.market, dataset, slug),
    close: async () => {
      clearInterval(refreshing)
      await admission.close()
    },
  }
}
