import type { PoolClient } from 'pg'
import { getCode } from './database-errors.ts'
import type { Prisma } from './generated/client.ts'
import { type LockPurpose, setStatementTimeout, tryLock } from './locks.sql.ts'
import type { Database, Transaction } from './prisma.ts'

/** Maximum duration of a transaction. Its statements, and its waits between statements, each have a shorter timeout. */
const maxDurationMs = 60_000

/**
 * Runs `work` in one transaction, in which it can use Prisma's models and SQL. Commits if it resolves; rolls back if it rejects or takes too long. Lock wallets
 * first, in ascending order of account id.
 */
export function inTransaction<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db.openTransaction(maxDurationMs, work)
}

/** Returns a database whose transactions are rolled back unless they are ready to commit within `timeoutMs` from now, including waits for a connection. */
export function withDeadline(db: Database, timeoutMs: number): Database {
  const endsAt = performance.now() + timeoutMs
  const openTransaction: Database['openTransaction'] = (ownTimeoutMs, work, level) => {
    const run: typeof work = async (tx, connection) => {
      const result = await work(tx, connection)
      if (performance.now() > endsAt) throw new Error('A transaction was rolled back, because it was not finished in time.')
      return result
    }
    return db.openTransaction(Math.max(1, Math.min(ownTimeoutMs, endsAt - performance.now())), run, level)
  }
  // The properties of the database itself can't be replaced.
  return new Proxy(Object.create(db) as Database, {
    get: (_target, name) => {
      if (name === 'openTransaction') return openTransaction
      const value: unknown = Reflect.get(db, name)
      return typeof value === 'function' ? value.bind(db) : value
    },
  })
}

/**
 * Runs `work` in one transaction. Transactions that `work` opens on the database it gets are part of this one, so `work` must reject if one of them does, and must
 * run one statement at a time.
 */
export function inJoinedTransaction<Result>(db: Database, work: (joined: Database) => Promise<Result>): Promise<Result> {
  return db.openTransaction(maxDurationMs, (tx, connection) => {
    const openTransaction: Database['openTransaction'] = (_timeoutMs, part) => part(tx, connection)
    return work(Object.create(tx, { openTransaction: { value: openTransaction } }) as Database)
  })
}

/** Extra time the driver waits after the server's timeout, in case the server doesn't respond at all. */
const silenceMs = 2_000

/** SQLSTATE of a statement timeout. */
const queryCanceled = '57014'

/** Returns true if a statement was cancelled because of its timeout. */
export const isTimeUp = (error: unknown): boolean => getCode(error) === queryCanceled

/** The driver's query timeout for a connection, in milliseconds. */
type Driver = { readonly connectionParameters: { query_timeout: number | false } }

/** Maximum number of statements in a long transaction that may each use the full timeout. */
const maxLongStatements = 20

/** Runs `work` in a transaction with a longer statement timeout than pages and API calls have. Restores the connection's limits afterwards. */
export function inLongTransaction<Result>(
  db: Database,
  timeoutMs: number,
  work: (tx: Transaction) => Promise<Result>,
  isolationLevel?: Prisma.TransactionIsolationLevel,
): Promise<Result> {
  const run = async (tx: Transaction, connection: PoolClient) => {
    await setStatementTimeout(tx, timeoutMs)
    const { connectionParameters: limits } = connection as PoolClient & Driver
    const previousTimeout = limits.query_timeout
    limits.query_timeout = timeoutMs + silenceMs
    try {
      return await work(tx)
    } finally {
      limits.query_timeout = previousTimeout
    }
  }
  return db.openTransaction(timeoutMs * maxLongStatements, run, isolationLevel)
}

/** Runs `work` in a long transaction in which all reads see the database as it was at the first read. */
export const inSnapshot = <Result>(db: Database, timeoutMs: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  inLongTransaction(db, timeoutMs, work, 'RepeatableRead')

/** Maximum duration of work under a lock. */
const maxLockedMs = 3_600_000

/**
 * Runs `work` under an advisory lock; returns undefined without running it if another process holds the lock. The lock belongs to a separate, idle transaction,
 * so that it also works behind a pooler and is released when the process dies.
 */
export async function withLock<Result>(db: Database, purpose: LockPurpose, work: () => Promise<Result>): Promise<Result | undefined> {
  let done: { readonly result: Result } | undefined
  try {
    await db.openTransaction(maxLockedMs, async (tx) => {
      if (await tryLock(tx, purpose, maxLockedMs)) done = { result: await work() }
    })
  } catch (error) {
    // The result of the work is valid even if the connection that held the lock was lost.
    if (!done) throw error
  }
  return done?.result
}
