import { expect, test } from 'vitest'
import { schemaDiff } from '#server/db/schema-diff.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

/** Reads single-column rows from the PostgreSQL catalogue. */
async function read(sql: string): Promise<string[]> {
  return (await database.pool.query<{ row: string }>(sql)).rows.map(({ row }) => row)
}

// The database has all migrations and the log partitions for the coming days.
test('prisma/schema matches the migrations', async () => {
  expect(await schemaDiff(database.url)).toBe('')
})

test('reports each difference between the database and prisma/schema', async () => {
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
 * Parts of the schema that Prisma can't express exist only in the migrations. The comparison above ignores them, so a generated migration could drop them:
 * a recreated table, for example, would not be partitioned.
 */
test('the database has the parts of its schema that prisma/schema cannot express', async () => {
  // The log is partitioned by the day encoded in its request ids, so that old days can be dropped without reading their rows.
  expect(await read(`SELECT pg_get_partkeydef('request_log'::regclass) AS row`)).toEqual(['RANGE (id)'])
  const partitions = await read(`SELECT inhrelid::regclass::text AS row FROM pg_inherits WHERE inhparent = 'request_log'::regclass ORDER BY 1`)
  expect(partitions).toEqual(expect.arrayContaining(['request_log_rest', expect.stringMatching(/^request_log_\d{8}$/)]))
  // The roll-up reads only rows of new transactions, using an index with almost no write cost.
  const options = `SELECT array_to_string(reloptions, ', ') AS row FROM pg_class WHERE oid = `
  expect(await read(`${options}'request_log_tx_idx'::regclass`)).toEqual(['pages_per_range=32, autosummarize=on'])
  // Rows updated with every call are vacuumed after a few thousand calls, regardless of the table size.
  for (const table of ['wallet', 'key_meter']) expect((await read(`${options}'${table}'::regclass`)).join()).toContain('autovacuum_vacuum_threshold=5000')
  const functions = await read(`SELECT proname AS row FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)
  expect(functions).toEqual(expect.arrayContaining(['admit', 'reconcile', 'make_log_partitions', 'roll_up_usage', 'record_moved_row']))
  // When a row moves in a sort order, its previous position is recorded, so that pagination can continue in the original order.
  const triggers = await read(`SELECT tgname AS row FROM pg_trigger WHERE tgfoid = 'record_moved_row'::regproc ORDER BY 1`)
  expect(triggers).toEqual(['card_moved', 'product_moved', 'provider_moved', 'switch_offer_moved'])
  expect(await read(`SELECT tgname AS row FROM pg_trigger WHERE tgfoid = 'record_provider_changes'::regproc`)).toEqual(['product_provider_changed'])
  // Loading the market reads only the launches in the history. Prisma doesn't support INCLUDE.
  expect(await read(`SELECT pg_get_indexdef('rate_change_launched_idx'::regclass) AS row`)).toEqual([
    "CREATE INDEX rate_change_launched_idx ON public.rate_change USING btree (dataset, source_key) INCLUDE (effective_date, detected_at) WHERE (direction = 'launched'::text)",
  ])
})
