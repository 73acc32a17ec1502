import { expect, test } from 'vitest'
import { schemaDiff } from '#server/db/schema-diff.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

/** The rows of a query on the catalogue of PostgreSQL, each as one text. */
async function read(sql: string): Promise<string[]> {
  return (await database.pool.query<{ row: string }>(sql)).rows.map(({ row }) => row)
}

// The database has everything that a service makes of itself: all migrations, and the partitions of the log for the days to come.
test('prisma/schema says what the migrations make', async () => {
  expect(await schemaDiff(database.url)).toBe('')
})

test('a difference is told, so that silence says something', async () => {
  await database.pool.query('DROP INDEX request_log_tx_idx; ALTER TABLE api_key ALTER addresses DROP DEFAULT')
  expect(await schemaDiff(database.url)).toBe(
    [
      '-- AlterTable\nALTER TABLE "api_key" ALTER COLUMN "addresses" SET DEFAULT ARRAY[]::TEXT[];',
      '-- CreateIndex\nCREATE INDEX "request_log_tx_idx" ON "request_log" USING BRIN ("tx");',
    ].join('\n\n'),
  )
  await database.pool.query(`ALTER TABLE api_key ALTER addresses SET DEFAULT '{}'`)
  await database.pool.query('CREATE INDEX request_log_tx_idx ON request_log USING brin (tx) WITH (pages_per_range = 32, autosummarize = on)')
})

/**
 * What a Prisma schema has no words for stands in the migrations alone. The comparison neither sees nor guards it, so a migration that was written by
 * the comparison could lose it (a table made anew is not partitioned): it is held here.
 */
test('what prisma/schema cannot say is there as well', async () => {
  // The log is cut by the day in its ids, so that old days can be dropped without reading them.
  expect(await read(`SELECT pg_get_partkeydef('request_log'::regclass) AS row`)).toEqual(['RANGE (id)'])
  const partitions = await read(`SELECT inhrelid::regclass::text AS row FROM pg_inherits WHERE inhparent = 'request_log'::regclass ORDER BY 1`)
  expect(partitions).toEqual(expect.arrayContaining(['request_log_rest', expect.stringMatching(/^request_log_\d{8}$/)]))
  // Adding up reads the rows of new transactions only, from an index that costs a write next to nothing.
  const options = `SELECT array_to_string(reloptions, ', ') AS row FROM pg_class WHERE oid = `
  expect(await read(`${options}'request_log_tx_idx'::regclass`)).toEqual(['pages_per_range=32, autosummarize=on'])
  // Rows that are written with each call are cleaned up after some thousand calls, however many rest beside them.
  for (const table of ['wallet', 'key_meter']) expect((await read(`${options}'${table}'::regclass`)).join()).toContain('autovacuum_vacuum_threshold=5000')
  const functions = await read(`SELECT proname AS row FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)
  expect(functions).toEqual(expect.arrayContaining(['admit', 'settle', 'make_log_partitions', 'add_up_usage', 'keep_place']))
  // What a list is ordered by leaves word of where it was, so that a walk can go on in its order.
  const triggers = await read(`SELECT tgname AS row FROM pg_trigger WHERE tgfoid = 'keep_place'::regproc ORDER BY 1`)
  expect(triggers).toEqual(['card_keeps_place', 'provider_keeps_place', 'switch_offer_keeps_place'])
})
