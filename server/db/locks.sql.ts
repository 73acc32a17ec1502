/** Locks and time limits of a transaction. Prisma has no `FOR UPDATE`, advisory locks or `SET LOCAL`. */
import type { Db, Transaction } from './prisma.ts'

/** Tables whose rows can be locked, and the column that identifies a row. */
const keys = {
  account: 'id',
  wallet: 'account_id',
  top_up: 'id',
  auto_top_up: 'account_id',
  stripe_payment: 'id',
  changelog_draft: 'public_id',
  licence_draft: 'public_id',
  webhook_account: 'account_id',
  webhook_endpoint: 'id',
  second_factor: 'account_id',
  portal_session: 'id',
} as const

/**
 * Locks rows against changes until the transaction ends, in id order to avoid deadlocks. Rows that reference them can still be inserted. Ids without a row are
 * ignored.
 */
export async function lockRows(tx: Transaction, table: keyof typeof keys, ids: readonly (number | string)[]): Promise<void> {
  const key = keys[table]
  const text = table === 'wallet' ? 'SELECT lock_wallets($1)' : `SELECT FROM ${table} WHERE ${key} = ANY ($1) ORDER BY ${key} FOR NO KEY UPDATE`
  await tx.query(text, [ids])
}

/** Numbers of the advisory locks. They serialise work for which there is no row to lock. */
const advisoryLocks = { marketImport: 2, statistics: 3, marketRefresh: 4, serviceAccounts: 5, changelog: 6 } as const

export type LockPurpose = keyof typeof advisoryLocks

/** First key of our advisory locks. It distinguishes them from the locks of other programs on the same server. */
const lockSpace = 20261

/** Waits for an advisory lock and holds it until the transaction ends. */
export async function lockFor(tx: Transaction, purpose: LockPurpose): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [lockSpace, advisoryLocks[purpose]])
}

/** Limits how long the transaction waits for each lock. The statement timeout must be longer, or it fires first. */
export async function setLockTimeout(tx: Transaction, timeoutMs: number): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = ${timeoutMs}`)
}

/**
 * Takes an advisory lock until the transaction ends, and lets the transaction be idle for up to `idleTimeoutMs`. Returns false if another transaction holds the
 * lock.
 */
export async function tryLock(tx: Transaction, purpose: LockPurpose, idleTimeoutMs: number): Promise<boolean> {
  await tx.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`)
  const { rows } = await tx.query<{ isOurs: boolean }>('SELECT pg_try_advisory_xact_lock($1, $2) AS "isOurs"', [lockSpace, advisoryLocks[purpose]])
  return rows[0]?.isOurs === true
}

/** Takes the advisory lock for a name until the transaction ends. Returns false if another transaction holds it. */
export async function tryLockName(tx: Db, name: string): Promise<boolean> {
  const { rows } = await tx.query<{ isOurs: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS "isOurs"', [name, lockSpace])
  return rows[0]?.isOurs === true
}

/** Limits the duration of each statement until the transaction ends. */
export async function setStatementTimeout(tx: Transaction, timeoutMs: number): Promise<void> {
  await tx.query(`SET LOCAL statement_timeout = ${timeoutMs}`)
}
