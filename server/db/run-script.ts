/** How the text of one migration is run on a database that serves meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'

/** Whoever waits for a lock holds back everybody behind it: a call waits for two seconds at most, so this is a small part of that. */
const lockWaitMs = 400
const pauseMs = 600
const attempts = 180

const lockNotAvailable = '55P03'
const deadlock = '40P01'

/** What PostgreSQL refuses to do inside of a transaction. Comments may stand before it. */
const concurrently = /^(?:\s|--[^\n]*\n)*(?:CREATE\s+(?:UNIQUE\s+)?|DROP\s+|RE)INDEX\s(?:.*\s)?CONCURRENTLY\s/i
const indexName = /INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?([a-z0-9_]+)"?\s+ON\s/i

/** The table that a migration changes was held by others all the time. */
export class BusyError extends Error {
  override name = 'BusyError'
}

const isBusy = (error: unknown) => error instanceof DatabaseError && (error.code === lockNotAvailable || error.code === deadlock)

type Options = { pool: Pool; log: (line: string) => void }

/** One statement or script, waiting so long for each lock; 0: for as long as it takes. */
async function runWaiting(pool: Pool, waitMs: number, script: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`SET lock_timeout = ${waitMs}`)
    await client.query(script)
  } finally {
    const reset = await client.query('RESET lock_timeout').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(reset)
  }
}

/**
 * Runs a script as one transaction that ends with `mark`. It waits for a lock for a moment only, and is then taken back and tried again, so that calls get
 * through in between. @throws BusyError when it never had its locks within three minutes.
 */
async function runWhole(script: string, mark: string, { pool, log }: Options): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runWaiting(pool, lockWaitMs, `${script}\n;${mark}`)
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (attempt === attempts) throw new BusyError('others held what it changes for three minutes', { cause: error })
      if (attempt === 3) log('a migration waits for others to let go of what it changes; calls go on meanwhile')
      await sleep(pauseMs)
    }
  }
}

/**
 * An index that is made beside the calls, outside of a transaction. It waits for the transactions of others and holds back nobody. What a killed process left
 * of it is no index and is removed first; one that is whole needs only its mark.
 */
async function runBeside(script: string, mark: string, { pool }: Options): Promise<void> {
  const name = indexName.exec(script)?.[1]
  const found = name === undefined ? [] : (await pool.query<{ valid: boolean }>(validSql, [name])).rows
  if (found[0]?.valid === false) await runWaiting(pool, 0, `DROP INDEX CONCURRENTLY "${name}"`)
  if (found[0]?.valid !== true) await runWaiting(pool, 0, script)
  await pool.query(mark)
}

const validSql = `SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace`

/** Runs a migration; `mark` notes in its row that it took effect. */
export const runMigration = (script: string, mark: string, options: Options): Promise<void> =>
  concurrently.test(script) ? runBeside(script, mark, options) : runWhole(script, mark, options)
