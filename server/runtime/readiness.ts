import type { ConfigSnapshotHolder } from '#server/api/pipeline/config-snapshot.ts'
import { isReachable } from '#server/db/database-probes.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { type WriteEvidence, writeCheck } from '#server/db/write-check.ts'
import type { Health } from '#server/observability/health.ts'
import { ClockCheck } from '#server/observability/health.ts'
import type { Log } from '#server/observability/log.ts'

type HealthParts = {
  readonly pool: Database
  readonly shared: Pick<ConfigSnapshotHolder, 'refresh' | 'current'>
  readonly isWritable: () => Promise<boolean | null>
  readonly pendingMigrations: () => Promise<string[]>
  readonly log: Log
}

/** Starts the database checks that readiness and metrics share. `evidence` contains the times of this process's last writes on the admission path. */
export async function openChecks(pool: Database, evidence: WriteEvidence, log: Log) {
  const clocks = new ClockCheck(pool, log)
  await clocks.check()
  return {
    figures: {
      /** Returns true if the database accepts writes, or null if it does not respond. */
      isWritable: writeCheck(pool, evidence, (error) => log.error({ err: error }, 'The database rejects writes.')),
      /** Returns the seconds by which this process's clock is ahead of the database's, or null if they have not been compared yet. */
      clockSkew: () => clocks.skewSeconds,
    },
    close: () => clocks.close(),
  }
}

/** Maximum age of a readiness result that requests share, measured from the start of the check. */
const sharedForMs = 1_000

/** Runs a check at most once a second, however many requests arrive. Requests in between share the last result, or wait for the check in progress. */
function oncePerSecond<Result>(check: () => Promise<Result>): () => Promise<Result> {
  let last: { readonly startedAt: number; readonly result: Promise<Result> } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.startedAt >= sharedForMs) last = { startedAt: now, result: check() }
    return last.result
  }
}

/** Returns the handlers of the two health endpoints. */
export function openHealth({ pool, shared, isWritable, pendingMigrations, log }: HealthParts): Health {
  /** Resolves with the result of a check, or with null if it fails. Logs the reason. */
  const known = <Result>(check: Promise<Result>): Promise<Result | null> =>
    check.catch((error: unknown) => {
      log.warn({ err: error }, 'A readiness check could not be completed. Its result is unknown.')
      return null
    })
  const isRead = () => known(shared.refresh().then(() => true))
  const isMigrated = () => known(pendingMigrations().then((names) => names.length === 0))
  return {
    live: () => ({ status: 200, body: { ok: true } }),
    ready: oncePerSecond(async () => {
      const database = (await isReachable(pool)) && (await isRead()) === true
      const [writable, migrated] = database ? await Promise.all([isWritable(), isMigrated()]) : [null, null]
      const market = shared.current.market.dataset('live').productCount > 0
      const ok = database && writable === true && migrated === true && market
      return { status: ok ? 200 : 503, body: { ok, database, writable, migrated, market } }
    }),
  }
}
