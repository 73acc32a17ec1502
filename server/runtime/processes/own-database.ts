import { getAdvice } from '#server/billing/open-billing.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { type Database, openDatabase } from '../database.ts'
import { getSecret } from '../secret.ts'
import { waitForDatabase } from './wait-for-database.ts'

const poolSize = 10
const statementTimeoutMs = 5_000

export function openOwnDatabase(env: Env, log: Log): Promise<Database> {
  return openDatabase(env, log, { applicationName: 'svc', max: poolSize, statementTimeoutMs })
}

const developmentMode =
  'Development mode: only this machine can connect. Emails appear at the /dev/mail link printed at start, payments are simulated and /metrics needs no token, unless configured otherwise. Set NODE_ENV=production to serve other machines.'

const untrustedProxy =
  'PUBLIC_URL is https and TRUST_PROXY is not set: behind a proxy, all clients would share the limits of one address. Set TRUST_PROXY to the addresses of your proxies.'

/** Logs the mode once per start, and advice about the settings for the operator. */
async function advise(env: Env, log: Log, database: Database): Promise<void> {
  if (env.developmentFeatures) log.warn(developmentMode)
  else log.info('Production mode: development features are off.')
  if (env.publicUrl.startsWith('https:') && !env.trustProxy.isSet) log.info(untrustedProxy)
  const secret = await getSecret(env)
  if (env.secret === null && !database.isEmbedded) log.warn('NEXTAUTH_SECRET is not set: a gateway on another machine would reject cursors issued by this one.')
  for (const line of getAdvice({ ...env.payment, ...env, secret })) log.info(line)
}

type Prepared = Awaited<ReturnType<typeof import('../prepare.ts').prepare>>

/** Opens and prepares the database, then runs `work`. On failure, closes the database, so that no embedded PostgreSQL keeps running. */
export async function withDatabase<T>(env: Env, log: Log, work: (database: Database, prepared: Prepared) => Promise<T>): Promise<T> {
  await waitForDatabase(env, log)
  const database = await openOwnDatabase(env, log)
  try {
    // Loaded only here: workers get a database that is already prepared.
    const { prepare } = await import('../prepare.ts')
    const prepared = await prepare(env, log, database)
    await advise(env, log, database)
    return await work(database, prepared)
  } catch (error) {
    await database.close()
    throw error
  }
}
