import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, pendingMigrations } from '#server/db/migrate.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

const run = promisify(execFile)
let database: TestDatabase
let client: Client
let folder = ''
let lines: string[] = []

const first = '20260101000000_first'
const second = '20260102000000_second'
const third = '20260103000000_third'

/** SQL that breaks if it is split at every semicolon, as Prisma would split it: dollar-quoted bodies, and semicolons in strings and comments. */
const routines = `-- A comment; with a semicolon.
CREATE TABLE entry (id bigint NOT NULL, note text NOT NULL DEFAULT 'a;b') PARTITION BY RANGE (id);
CREATE TABLE entry_rest PARTITION OF entry DEFAULT;
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE r int;
BEGIN
  r := n * 2; RETURN r;
END $$;
DO $do$ BEGIN PERFORM twice(1); EXECUTE 'CREATE TABLE entry_1 PARTITION OF entry FOR VALUES FROM (1) TO (10);'; END $do$`

const write = async (name: string, sql: string) => {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), sql)
}
const go = () => migrate(database.url, { folder, log: (line) => lines.push(line) })

beforeEach(async () => {
  database = await emptyDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
  lines = []
  await write(first, routines)
  await write(second, 'INSERT INTO entry VALUES (3), (30);')
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('applies functions and partitions, and does nothing when run again', async () => {
  expect(await pendingMigrations(database.url, folder)).toEqual([first, second])
  expect(await go()).toEqual({ applied: [first, second] })
  expect(await go()).toEqual({ applied: [] })
  expect(await pendingMigrations(client, folder)).toEqual([])
  const { rows } = await client.query('SELECT twice(21) AS n, (SELECT count(*)::int FROM entry_1) AS low, (SELECT note FROM entry_rest) AS note')
  expect(rows).toEqual([{ n: 42, low: 1, note: 'a;b' }])
  expect((await client.query('SELECT logs FROM _prisma_migrations')).rows).toEqual([{ logs: null }, { logs: null }])
})

test('applies every migration once with two concurrent processes', { timeout: 60_000 }, async () => {
  await write(second, 'SELECT pg_sleep(0.5); INSERT INTO entry VALUES (3);')
  const script = fileURLToPath(new URL('./migrate-process.ts', import.meta.url))
  const both = await Promise.all([1, 2].map(() => run(process.execPath, [script, database.url, folder], { timeout: 50_000 })))
  const applied: string[][] = both.map(({ stdout }) => JSON.parse(stdout))
  expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [first, second]])
  expect((await client.query('SELECT count(*)::int AS n FROM entry')).rows).toEqual([{ n: 1 }])
})

test('reports the line of a failing migration, rolls it back, and runs the corrected version', async () => {
  await write(third, 'CREATE TABLE half (id int);\n\nINSERT INTO no_such_table VALUES (1);\n')
  await expect(go()).rejects.toThrow(
    `Migration ${third} failed at line 3: relation "no_such_table" does not exist. No changes were made. Correct its migration.sql and start again.`,
  )
  expect((await client.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }])
  expect(await pendingMigrations(client, folder)).toEqual([third])
  await write(third, 'CREATE TABLE half (id int);')
  expect(await go()).toEqual({ applied: [third] })
})

test('reruns an interrupted migration, unless it had already committed', async () => {
  await go()
  const unfinished = `UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0, logs = $1 WHERE migration_name = $2`
  await client.query(unfinished, ['the script was committed', second])
  expect(await go()).toEqual({ applied: [] })
  expect(lines.at(-1)).toBe(`migration ${second} was interrupted during the last run; it had been applied`)
  await client.query(unfinished, [null, second])
  await client.query('DELETE FROM entry')
  expect(await go()).toEqual({ applied: [second] })
  expect((await client.query('SELECT count(*)::int AS n FROM entry')).rows).toEqual([{ n: 2 }])
})

test('rejects a migration that was modified after it was applied', async () => {
  await go()
  await write(second, 'INSERT INTO entry VALUES (4);')
  await expect(go()).rejects.toThrow(`Migration ${second} was modified after it was applied to this database`)
})

test('rejects a database that contains other tables', async () => {
  await client.query('CREATE TABLE theirs (id int)')
  await expect(go()).rejects.toThrow("This database contains tables that don't belong to this service")
})

test('retries a migration that waits for a lock, without blocking other queries', async () => {
  await go()
  await write(third, "ALTER TABLE entry ADD COLUMN more text NOT NULL DEFAULT ''")
  const reader = new Client({ connectionString: database.url })
  await reader.connect()
  await reader.query('BEGIN; SELECT count(*) FROM entry')
  const migrating = go()
  let longestMs = 0
  while (!lines.some((line) => line.includes('waiting for locks'))) {
    const started = performance.now()
    await client.query('SELECT count(*) FROM entry')
    longestMs = Math.max(longestMs, performance.now() - started)
  }
  await reader.query('COMMIT')
  await reader.end()
  expect(await migrating).toEqual({ applied: [third] })
  expect(longestMs).toBeLessThan(1_000)
})

test('builds an index concurrently, and rebuilds one left invalid by a killed process', async () => {
  await go()
  const sql = '-- For the notes.\nCREATE INDEX CONCURRENTLY entry_1_note ON entry_1 (note);\n'
  await write(third, sql)
  // Two identical rows make the build of the unique index fail, leaving an invalid index.
  await client.query('INSERT INTO entry VALUES (4)')
  await expect(client.query('CREATE UNIQUE INDEX CONCURRENTLY entry_1_note ON entry_1 (note)')).rejects.toThrow(/could not create unique index/)
  const states = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'entry_1_note'::regclass`
  expect((await client.query(states)).rows).toEqual([{ valid: false }])
  expect(await go()).toEqual({ applied: [third] })
  expect((await client.query(states)).rows).toEqual([{ valid: true }])
  // Simulates a process that was killed after building the index but before recording the migration.
  await client.query('UPDATE _prisma_migrations SET finished_at = NULL, applied_steps_count = 0, logs = NULL WHERE migration_name = $1', [third])
  expect(await go()).toEqual({ applied: [third] })
  expect((await client.query(states)).rows).toEqual([{ valid: true }])
})

test('rejects a database created by a version before 0.3', async () => {
  await write(first, 'CREATE TABLE account ()')
  await write(second, 'SELECT 1')
  await go()
  await expect(migrate(database.url, { log: () => undefined })).rejects.toThrow('made by a version before 0.3')
})
