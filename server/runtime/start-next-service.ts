import { markProductionDatabase, refuseProductionDatabase, refuseSimulatedPurchases } from '#server/billing/production-guard.ts'
import { assertPooledSessions, openPool } from '#server/db/pool.ts'
import { configureNextAuth, readServiceEnv } from '#server/env.ts'
import { createLog } from '#server/observability/log.ts'
import { getSecret } from './secret.ts'
import { type Service, startService } from './service.ts'
import { shareService } from './service-slot.ts'

/** Starts the service on a host that runs only Next. */
export async function startNextService(): Promise<Service> {
  const env = readServiceEnv()
  if (env.databaseUrl === null) throw new Error('Set DATABASE_URL: a host that only runs Next cannot start the embedded PostgreSQL.')
  configureNextAuth(env)
  const log = createLog(env.logLevel)
  const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost; the pool replaces it.')
  const { databaseUrl: url, isPooled } = env
  const pool = openPool({ url, isPooled, max: 10, applicationName: 'svc-next', statementTimeoutMs: 5_000, onError })
  if (isPooled) await assertPooledSessions(pool)
  if (env.developmentFeatures) await refuseProductionDatabase(pool)
  else {
    await refuseSimulatedPurchases(pool)
    await markProductionDatabase(pool)
  }
  // On a host that only runs Next, the operator applies migrations separately, so there is nothing to check here.
  const service = await startService({ ...env, databaseUrl: url, secret: await getSecret(env) }, pool, log, async () => [])
  shareService(service)
  return service
}
