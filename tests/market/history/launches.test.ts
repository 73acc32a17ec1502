import { expect, test } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { readLaunches } from '#server/market/read-changes.ts'
import { marketDatabase } from '../market-database.ts'

const market = marketDatabase({ isSeeded: true })

test('reads the latest launch of each product from the index alone', async () => {
  const { rows: stored } = await market.pool.query<{ key: string; on: string; at: Date }>(
    `SELECT source_key AS key, to_char(max(effective_date), 'YYYY-MM-DD') AS on, max(detected_at) AS at FROM rate_change
     WHERE dataset = 'live' AND previous_rate_bp IS NULL GROUP BY 1`,
  )
  const launches = await inTransaction(market.pool, (tx) => readLaunches(tx, 'live'))
  expect(launches).toEqual(new Map(stored.map(({ key, on, at }) => [key, { on, at: at.toISOString() }])))
  expect(launches.size).toBeGreaterThan(1_000)
  await market.pool.query('VACUUM ANALYZE rate_change')
  const plan = await inTransaction(market.pool, async (tx) => {
    // The statement of Prisma's groupBy, with parameters.
    await tx.query(`PREPARE launches (text, text) AS SELECT source_key, max(effective_date), max(detected_at) FROM rate_change
      WHERE dataset = $1 AND direction = $2 GROUP BY source_key OFFSET 0`)
    return (await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE launches ('live', 'launched')`)).rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Only Scan using rate_change_launched_idx')
  expect(plan).not.toContain('Sort')
})
