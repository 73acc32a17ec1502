/** Calls the admission statement and related ones directly, as the gateway does. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import { newRequestId } from '#server/ids.ts'
import type { Outcome } from '#server/metering/batch.ts'
import { type AdmissionRequest, decodeNumbers, encodeBatch, readOutcomes } from '#server/metering/batch.ts'
import { encodeWhole, readWhole } from '#server/metering/batch-executor.ts'
import { makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { openTestPool } from '../support/test-pool.ts'

export type Db = Database | ClientBase

/** Closes a pool and waits until its connections are gone. `pool.end()` alone resolves earlier, and dropping the database would terminate the connections. */
async function endPool(pool: Database, open: ReadonlySet<unknown>): Promise<void> {
  await pool.end()
  while (open.size > 0) await sleep(2)
}

/** Creates a separate database for a test file. Call it once, at the top of the file; the pool is available from the first test on. */
export function meteringDatabase(): { readonly pool: Database; readonly url: string } {
  let opened: { database: TestDatabase; pool: Database } | undefined
  const open = new Set<unknown>()
  beforeAll(async () => {
    const database = await cloneDatabase()
    const pool = openTestPool({ connectionString: database.url, max: 16 })
    pool.on('connect', (client) => open.add(client))
    pool.on('remove', (client) => open.delete(client))
    opened = { database, pool }
  })
  afterAll(async () => {
    if (opened === undefined) return
    await endPool(opened.pool, open)
    await opened.database.drop()
  })
  const get = () => {
    if (opened === undefined) throw new Error('The database is not open yet. Use it inside a test.')
    return opened
  }
  return {
    get pool() {
      return get().pool
    },
    get url() {
      return get().database.url
    },
  }
}

/** Account that pays for requests, and the key used. */
export type Payer = {
  readonly account: TestAccount
  readonly accountId: number
  readonly keyId: number
  readonly publicKeyId: string
  readonly key: string
  readonly isLive: boolean
}

/** Fields of a payer that are needed to build a request. */
export type Caller = Pick<Payer, 'accountId' | 'keyId' | 'isLive'>

type PayerOptions = { mode?: 'live' | 'test'; spendCap?: number | null }

export async function addKey(pool: Database, account: TestAccount, { mode = 'live', spendCap = null }: PayerOptions = {}): Promise<Payer> {
  const made = await makeKey(pool, account, { mode, spendCapCredits: spendCap })
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM api_key WHERE public_id = $1', [made.id])
  return { account, accountId: account.id, keyId: Number(rows[0]?.id), publicKeyId: made.id, key: made.key, isLive: mode === 'live' }
}

/** Creates an account with this balance and one key. The limits default to those of the Enterprise plan. */
export async function makePayer(
  pool: Database,
  options: PayerOptions & { credits?: number; perMinute?: number; perDay?: number; accountCap?: number } = {},
): Promise<Payer> {
  const account = await makeAccount(pool, { credits: options.credits ?? 100 })
  const { perMinute = null, perDay = null, accountCap = null } = options
  await pool.query('UPDATE wallet SET minute_limit = coalesce($2, minute_limit), day_limit = coalesce($3, day_limit), month_cap = $4 WHERE account_id = $1', [
    account.id,
    perMinute,
    perDay,
    accountCap,
  ])
  return addKey(pool, account, options)
}

/** Builds a request from the payer: by default, one unit at one credit, with current versions. */
export function buildRequest(payer: Caller, changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    id: newRequestId(),
    serviceVersion: 0,
    accountId: payer.accountId,
    accountVersion: 1,
    keyId: payer.keyId,
    keyVersion: 1,
    isLive: payer.isLive,
    capId: null,
    shard: null,
    endpoint: 9,
    status: 200,
    error: 0,
    stage: 0,
    price: 1,
    units: 1,
    ceiling: null,
    idempotency: null,
    ...changes,
  }
}

export const repeatRequest = (count: number, payer: Payer, changes: Partial<AdmissionRequest> = {}): AdmissionRequest[] =>
  Array.from({ length: count }, () => buildRequest(payer, changes))

export async function serviceVersion(db: Db): Promise<number> {
  const { rows } = await db.query<{ version: number }>('SELECT version FROM service_state')
  return rows[0]?.version ?? 0
}

/** Sends a batch to `admit`, with the current service version unless one is given. */
export async function admit(db: Db, requests: readonly AdmissionRequest[], version?: number): Promise<Outcome[]> {
  const { values, ...places } = encodeBatch(version ?? (await serviceVersion(db)), requests)
  const { rows } = await db.query<{ answer: string }>('SELECT admit($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17) AS answer', values)
  return readOutcomes(decodeNumbers(rows[0]?.answer ?? ''), places)
}

/** Sends a batch to `admit_whole`. Returns null if the batch was not, or could not be, granted as a whole. */
export async function admitWhole(db: Db, requests: readonly AdmissionRequest[], version?: number): Promise<Outcome[] | null> {
  const batch = encodeWhole(version ?? (await serviceVersion(db)), requests)
  if (batch === null) return null
  const places = batch.values.map((_, at) => `$${at + 1}`)
  const { rows } = await db.query<{ answer: string | null }>(`SELECT admit_whole(${places.join(',')}) AS answer`, batch.values)
  const answer = rows[0]?.answer ?? null
  return answer === null ? null : readWhole(decodeNumbers(answer), batch)
}

export type Settled = { status: number; units: number; credits: number; balance: number }

/** Calls the SQL function `reconcile`. `isVoid` means that the caller has already received an error. */
export async function settle(db: Db, requests: readonly (AdmissionRequest & { isVoid?: boolean })[]): Promise<Settled[]> {
  const { rows } = await db.query<{ answer: string }>('SELECT reconcile($1,$2,$3,$4,$5)::text AS answer', [
    requests.map((r) => r.accountId),
    requests.map((r) => r.keyId),
    requests.map((r) => r.id),
    requests.map((r) => r.endpoint),
    requests.map((r) => r.isVoid === true),
  ])
  const numbers = decodeNumbers(rows[0]?.answer ?? '{}')
  return requests.map((_, index) => {
    const [status = 0, units = 0, credits = 0, balance = 0] = numbers.slice(index * 4, index * 4 + 4)
    return { status, units, credits, balance }
  })
}

export type LogRow = { id: string; key_id: number; status: number; error: number; units: number; credits: number; balance: number }

/** Returns the log of an account in order of arrival. Ids have no dashes. */
export async function readLog(db: Db, payer: Payer): Promise<LogRow[]> {
  const { rows } = await db.query<LogRow>(
    `SELECT replace(id::text, '-', '') AS id, key_id::int, status, error, units, credits, balance::int FROM request_log WHERE account_id = $1 ORDER BY id`,
    [payer.accountId],
  )
  return rows
}

export type Counters = { balance: number; dayUsed: number; minuteUsed: number; monthSpent: number }

/** Returns the balance and counters of a payer. */
export async function readCounters(db: Db, payer: Payer): Promise<Counters> {
  const { rows } = await db.query<Counters>(
    `SELECT w.balance::int AS balance, w.day_used AS "dayUsed", k.minute_used AS "minuteUsed", k.month_spent::int AS "monthSpent"
     FROM wallet w JOIN key_meter k ON k.account_id = w.account_id WHERE k.key_id = $1`,
    [payer.keyId],
  )
  const row = rows[0]
  if (!row) throw new Error('The payer has no counters.')
  return row
}

/** Returns the account's spend in the month recorded in its wallet. */
export async function accountSpent(db: Db, { accountId }: Payer): Promise<number> {
  const { rows } = await db.query<{ spent: number }>('SELECT month_spent::int AS spent FROM wallet WHERE account_id = $1', [accountId])
  return rows[0]?.spent ?? -1
}

export const toVerdicts = (outcomes: readonly Outcome[]): number[] => outcomes.map((outcome) => outcome.verdict)
