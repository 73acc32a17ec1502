import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Database } from '#server/db/prisma.ts'

/** Tables written by an import of products and their history. */
const tables = ['product', 'rate_change'] as const

/** Empties the market. */
export async function emptyMarket(pool: Database): Promise<void> {
  await pool.query('TRUNCATE market_event, rate_change, product, service_quality, account_offer, switch_offer, card, provider, market_import')
}

export async function emptyRows(pool: Database): Promise<void> {
  await pool.query('TRUNCATE market_event, rate_change, product')
}

async function withClient<Result>(pool: Database, use: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    return await use(client)
  } finally {
    client.release()
  }
}

/** Writes the current rows to files in COPY format. Uses a separate connection, because the pool's query timeout is not cancelled when a copy ends. */
export async function copyOut(url: string, folder: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const table of tables) await pipeline(client.query(copyTo(`COPY ${table} TO STDOUT`)), createWriteStream(join(folder, `${table}.copy`)))
  await client.end()
}

/**
 * Loads the rows saved by `copyOut` with COPY in one transaction. With `bare`, loads them into tables without indexes, checks or keys. Returns the duration in
 * milliseconds.
 */
export async function copyIn(pool: Database, folder: string, kind: 'real' | 'bare'): Promise<number> {
  return await withClient(pool, async (client) => {
    const toTableName = (table: string) => (kind === 'real' ? table : `bench_bare_${table}`)
    if (kind === 'bare') for (const table of tables) await client.query(`CREATE TABLE ${toTableName(table)} (LIKE ${table})`)
    const from = performance.now()
    await client.query('BEGIN')
    for (const table of tables) {
      await pipeline(
        createReadStream(join(folder, `${table}.copy`), { highWaterMark: 1 << 20 }),
        client.query(copyFrom(`COPY ${toTableName(table)} FROM STDIN`)),
      )
    }
    await client.query('COMMIT')
    const ms = performance.now() - from
    if (kind === 'bare') for (const table of tables) await client.query(`DROP TABLE ${toTableName(table)}`)
    return ms
  })
}

export async function countRows(pool: Database): Promise<{ products: number; changes: number }> {
  const { rows } = await pool.query<{ products: number; changes: number }>(
    'SELECT (SELECT count(*)::int FROM product) AS products, (SELECT count(*)::int FROM rate_change) AS changes',
  )
  return rows[0] ?? { products: 0, changes: 0 }
}

/**
 * Verifies that the last history entry of every listed product matches the product's current terms. @throws if not, because the figures would be meaningless.
 */
export async function proveHistory(pool: Database): Promise<void> {
  const { rows } = await pool.query<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM product p LEFT JOIN LATERAL (SELECT * FROM rate_change c WHERE c.dataset = p.dataset AND c.source_key = p.source_key
       ORDER BY c.effective_date DESC, c.seq DESC LIMIT 1) h ON true
     WHERE p.withdrawn_at IS NULL AND (p.rate_bp, p.base_rate_bp, p.boost_rate_bp, p.boost_duration) IS DISTINCT FROM (h.rate_bp, h.base_rate_bp, h.boost_rate_bp, h.boost_duration)`,
  )
  if (rows[0]?.wrong !== 0) throw new Error(`For ${rows[0]?.wrong} products, the rate history does not end with the current terms.`)
}
