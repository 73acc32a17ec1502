import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { endPool, openTestPool, watched } from './test-pool.ts'

type Options = {
  /** Maximum number of connections. */
  readonly max?: number
  /** Function to run before each test, for example to empty tables. */
  readonly prepare?: (pool: Database) => Promise<unknown>
}

/** Creates a separate database and a pool for a test file. Call once, at the top of the file. Both are available when the first test starts. */
export function ownDatabase({ max = 8, prepare }: Options = {}): { readonly pool: Database; readonly url: string } {
  let opened: { database: TestDatabase; pool: Database } | undefined
  const here = () => {
    if (opened === undefined) throw new Error('The database is not open yet. Use it inside a test.')
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
