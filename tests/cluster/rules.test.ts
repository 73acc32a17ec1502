/** Rules that keep the schema distributable by account (docs/decisions/0048). Run on a single server, so they hold without a cluster. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMigrations } from '#server/db/migrations.sql.ts'
import type { Database } from '#server/db/prisma.ts'
import { getClusterUrl } from '../support/citus.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { openTestPool } from '../support/test-pool.ts'

const migration = '20261128010000_cluster_functions'
const tables = ['wallet', 'key_meter', 'request_log', 'idempotency', 'ledger_entry', 'dropped_charge']
/** Functions that `make_shard_functions` copies for each shard. */
const copied = ['counted_in_log', 'spent_in_log', 'admit', 'admit_whole', 'reconcile']
/** Functions that the previous release calls. They take a row, and are replaced by functions that take an account id. */
const kept = ['spent_in_month(w wallet, p_at timestamp with time zone)', 'webhook_credits(w wallet, p_now timestamp with time zone)']

/** On a cluster, the template's tables are distributed already. */
const onServer = test.skipIf(getClusterUrl() !== undefined)

let database: TestDatabase
let pool: Database
let source = ''

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openTestPool({ connectionString: database.url, max: 2 })
  const { rows } = await pool.query<{ text: string }>("SELECT prosrc AS text FROM pg_proc WHERE proname = 'distribute_charges'")
  source = rows[0]?.text ?? ''
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function names(text: string, values: unknown[] = [tables]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(text, values)
  return rows.map(({ name }) => name)
}

/** Returns the names that `distribute_charges` doesn't mention. */
const unhandled = (all: readonly string[]): string[] => all.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))

const oids = 'SELECT to_regclass(name) FROM unnest($1::text[]) name'

onServer('every unique key of a distributed table has the account, or is replaced when the table is distributed', async () => {
  const keys = await names(
    `SELECT i.indexrelid::regclass::text AS name FROM pg_index i WHERE i.indisunique AND i.indrelid IN (${oids})
       AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = 'account_id' AND a.attnum = ANY (i.indkey))`,
  )
  expect(keys).toContain('ledger_entry_webhook_once')
  expect(unhandled(keys)).toEqual([])
})

onServer('no foreign key leads from or to a distributed table, unless it is dropped when the table is distributed', async () => {
  const keys = await names(`SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND (conrelid IN (${oids}) OR confrelid IN (${oids}))`)
  expect(keys).toContain('wallet_account_id_fkey')
  expect(unhandled(keys)).toEqual([])
})

onServer('triggers of distributed tables are dropped when the table is distributed, except the one that stays within a shard', async () => {
  const triggers = await names(
    `SELECT DISTINCT t.tgname AS name FROM pg_trigger t WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgrelid IN (${oids}) AND t.tgname <> 'share_cap'`,
  )
  expect(triggers).toContain('ledger_entry_low_balance')
  const dropped = await names(
    `SELECT t.tgname || ' ON ' || t.tgrelid::regclass AS name FROM pg_trigger t WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND t.tgrelid IN (${oids})`,
  )
  expect(dropped.filter((name) => !name.startsWith('share_cap ') && !source.includes(`DROP TRIGGER ${name};`))).toEqual([])
})

test('no function has a row of a distributed table as a parameter', async () => {
  const functions = await names(
    `SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name FROM pg_proc p, unnest(p.proargtypes) t(type)
     WHERE p.pronamespace = 'public'::regnamespace AND t.type IN (SELECT reltype FROM pg_class WHERE oid IN (${oids})) ORDER BY 1`,
  )
  expect(functions).toEqual(kept)
})

const lock = /\bFOR (?:NO KEY )?UPDATE\b/
/** A statement that locks rows of a distributed table for more than one account. */
const crossAccountLocks = (text: string): string[] =>
  text
    .split(/;|`/)
    .filter((statement) => lock.test(statement) && new RegExp(`\\bFROM (?:${tables.join('|')})\\b`).test(statement) && !/\baccount_id = /.test(statement))

test('no PostgreSQL function locks rows of several accounts in one statement, except on a single server', async () => {
  const allowed = [...copied, 'lock_wallets', 'delete_expired_idempotency']
  const { rows } = await pool.query<{ name: string; text: string }>(
    "SELECT proname AS name, prosrc AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT proname = ANY ($1)",
    [allowed],
  )
  expect(rows.flatMap(({ name, text }) => crossAccountLocks(text).map((statement) => `${name}: ${statement.trim()}`))).toEqual([])
  expect(crossAccountLocks('PERFORM FROM wallet w WHERE w.account_id IN (SELECT 1) FOR NO KEY UPDATE')).toHaveLength(1)
})

test('functions that are copied to the nodes use only the charging tables', async () => {
  const { rows } = await pool.query<{ text: string }>('SELECT prosrc AS text FROM pg_proc WHERE proname = ANY ($1)', [copied])
  const relations = new Set(await names("SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')", []))
  const code = rows.map(({ text }) => text.replace(/--[^\n]*/g, '')).join('\n')
  const used = [...code.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)\b/g)].map(([, name = '']) => name).filter((name) => relations.has(name))
  expect([...new Set(used)].filter((name) => !tables.includes(name))).toEqual(['service_state'])
})

test('a migration that replaces a charging function also recreates the shard functions', async () => {
  const replaces = new RegExp(`\\bFUNCTION (?:${copied.join('|')})\\(`)
  const later = (await readMigrations()).filter(({ name, sql }) => name >= migration && replaces.test(sql))
  expect(later.map(({ name }) => name)).toContain(migration)
  expect(later.filter(({ sql }) => !/^SELECT make_shard_functions\(\);\s*$/m.test(sql)).map(({ name }) => name)).toEqual([])
})

test('the documentation names every distributed table', () => {
  const text = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  expect(tables.filter((table) => !text.includes(`\`${table}\``))).toEqual([])
})
