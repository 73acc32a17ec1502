import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Database, withPrisma } from '#server/db/prisma.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

const open = new WeakMap<Pool, Set<unknown>>()

/** Tracks the connections of a pool, so that `endPool` knows when the last one is closed. Call before the first connection. */
export function watched(pool: Database): Database {
  const clients = new Set<unknown>()
  open.set(pool, clients)
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  return pool
}

/** Opens a pool with Prisma's models. */
export const openTestPool = (config: PoolConfig): Database => withPrisma(new Pool(config))

/** Ends a pool and waits until its connections are closed. `pool.end()` resolves earlier, and dropping the database would then break the connections. */
export async function endPool(pool: Pool): Promise<void> {
  await pool.end()
  while (open.get(pool)?.size) await sleep(2)
}

type Options = {
  /** Maximum number of connections. */
  readonly max?: number
  /** Runs before each test, for example to empty tables. */
  readonly prepare?: (pool: Database) => Promise<unknown>
}

/** Creates a separate database and a pool for a test file. Call once, at the top of the file. Both are available when the first test starts. */
export function ownDatabase({ max = 8, prepare }: Options = {}): { readonly pool: Database; readonly url: string } {
  let opened: { database: TestDatabase; pool: Database } | undefined
  const here = () => {
    if (opened === undefined) throw new Error('The database is not available before the first test.')
    return opened
  }
  beforeAll(async () => {
    const database = await cloneDatabase()
    opened = { database, pool: watched(openTestPool({ connectionString: database.url, max })) }
  })
  if (prepare) {
    beforeEach(async () => {
      await prepare(here().pool)
    })
  }
  afterAll(async () => {
    if (opened === undefined) return
    await endPool(opened.pool)
    await opened.database.drop()
  })
  return {
    get pool() {
      return here().pool
    },
    get url() {
      return here().database.url
    },
  }
}
