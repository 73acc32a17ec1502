/** Tests that development refuses to start on a database used in production. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createBackup } from '#server/backup/create-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { applyPaymentChange } from '#server/billing/apply-payment.ts'
import { openAccount } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { cloneDatabase, emptyDatabase } from '../support/database.ts'
import { authSecret, publicUrl, startProcess } from '../support/service-process.ts'
import { endPool, openTestPool, watched } from '../support/test-pool.ts'

let dataDir = ''
let url = ''
let pool: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-production-database-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

beforeEach(async () => {
  const database = await cloneDatabase()
  url = database.url
  pool = watched(openTestPool({ connectionString: url, max: 2 }))
  return async () => {
    await endPool(pool)
    await database.drop()
  }
})

const development = { NODE_ENV: '', HOST: '', PUBLIC_URL: '' }
const used = 'This database has been used in production, so development features must not run on it. Use another database, or set NODE_ENV=production.'
const paid = 'This database holds purchases paid with real money, so development features must not run on it. Use another database, or set NODE_ENV=production.'

/** Starts a service and stops it once it is ready. */
async function startOnce(env: Record<string, string> = {}, databaseUrl = url): Promise<void> {
  const service = await startProcess({ databaseUrl, mount: 'lean', dataDir, env: { ROLES: 'gateway', ...env } })
  await service.stop()
}

const startOnlyNext = `const { nextService } = await import('./server/runtime/next-service.ts')
try { await (await nextService()).close() } catch (error) { process.stdout.write(error.message) }
process.exit(0)`

/** Starts only Next.js, without our listener, as some hosts do. Returns the start-up error, or an empty string. */
async function startNextHost(settings: Record<string, string>): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, NEXTAUTH_SECRET: authSecret, LOG_LEVEL: 'silent', ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', startOnlyNext], {
    cwd: join(import.meta.dirname, '../..'),
    env: env as unknown as NodeJS.ProcessEnv,
  })
  return stdout
}

const readMark = async (from = pool) => (await from.query('SELECT serves_production AS mark FROM service_state')).rows[0]?.mark

const getMigrations = async () => (await pool.query<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1')).rows

/** Reverts the database to the state of an earlier release: undoes all migrations except the first, and removes the production mark. */
async function undoMigration(): Promise<void> {
  await pool.query(`DO $$ DECLARE f record; BEGIN
    FOR f IN SELECT oid::regprocedure AS name, CASE prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS kind
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace LOOP
      EXECUTE format('DROP %s %s CASCADE', f.kind, f.name);
    END LOOP;
  END $$`)
  await pool.query('DROP SCHEMA IF EXISTS pgboss CASCADE')
  // Tables and columns that later migrations add.
  await pool.query(`ALTER TABLE api_key DROP COLUMN oauth_client_id; DROP TABLE action_replay, market_alert_notification, market_alert_email, market_alert, billing_details, oauth_code, oauth_client, ticket_message, ticket, incident_update, incident, status_subscriber, usage_hour, linked_sign_in, single_sign_on, membership, invitation,
    daily_file;
    DROP TYPE ticket_topic, ticket_state, member_role; ALTER TABLE webhook_account DROP COLUMN is_blocked, DROP COLUMN limited_notified_at, DROP COLUMN tests_from, DROP COLUMN tests_count,
    DROP COLUMN again_from, DROP COLUMN again_count; ALTER TABLE webhook_delivery DROP COLUMN unacknowledged_at; ALTER TABLE webhook_endpoint DROP COLUMN mode; ALTER TABLE account DROP COLUMN owner_id;
    ALTER TABLE api_key DROP COLUMN created_by; ALTER TABLE audit_entry DROP COLUMN member_id; ALTER TABLE portal_session DROP COLUMN acting_account_id,
    DROP COLUMN organisation_id; ALTER TABLE product DROP COLUMN maturity_date, DROP COLUMN withdrawals_per_year; ALTER TABLE market_import DROP COLUMN changed_at;
    ALTER TABLE switch_offer DROP COLUMN note; ALTER TABLE account_offer DROP COLUMN note;
    ALTER TABLE top_up DROP COLUMN billed_to`)
  await pool.query("DELETE FROM _prisma_migrations WHERE migration_name NOT LIKE '%\\_baseline'")
  await pool.query('UPDATE service_state SET serves_production = false')
}

async function payWithRealMoney(): Promise<void> {
  const request = { email: 'buyer@example.test', password: null, plan: 'hobby' as const, isAdmin: false, isApproved: true, isVerified: true }
  const { id } = await openAccount(pool, request, { kind: 'adjustment', credits: 0 })
  await pool.query(
    "INSERT INTO top_up (public_id, account_id, purchase_key, origin, mode, amount_pence, credits) VALUES ('top_1', $1, 'top_1', 'checkout', 'live', 500, 50)",
    [id],
  )
  const event = { event: { id: 'evt_1', type: 'checkout.session.completed' }, isLive: true, at: new Date() }
  expect(await applyPaymentChange(pool, event, { topUp: 'top_1', intent: 'pi_1', outcome: 'paid', amountPence: 500 })).toBe('applied')
}

test('a production start marks the database, and development refuses to migrate it', { timeout: 120_000 }, async () => {
  await startOnce()
  expect(await readMark()).toBe(true)
  const row = async () => (await pool.query('SELECT xmin, version FROM service_state')).rows
  const before = await row()
  await startOnce()
  expect(await row()).toEqual(before)

  await pool.query('DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)')
  const migrations = await getMigrations()
  await expect(startOnce(development)).rejects.toThrow(used)
  expect(await getMigrations()).toEqual(migrations)
})

test('development migrates a database of an earlier release without marking it', { timeout: 60_000 }, async () => {
  await undoMigration()
  await startOnce(development)
  expect(await readMark()).toBe(false)
})

test('development refuses to migrate a database of an earlier release that contains live purchases', { timeout: 60_000 }, async () => {
  await payWithRealMoney()
  await undoMigration()
  const migrations = await getMigrations()
  await expect(startOnce(development)).rejects.toThrow(paid)
  expect(await getMigrations()).toEqual(migrations)
})

test('does not mark the database as a production database if the start fails because of simulated purchases', { timeout: 60_000 }, async () => {
  await payWithRealMoney()
  await pool.query("UPDATE top_up SET mode = 'simulated'")
  await expect(startOnce()).rejects.toThrow('Simulated purchases in this database: 1')
  expect(await readMark()).toBe(false)
})

test('development starts on a restored production backup', { timeout: 120_000 }, async () => {
  await pool.query('UPDATE service_state SET serves_production = true')
  const file = join(dataDir, 'production.tar.gz')
  await createBackup(url, file)
  const target = await emptyDatabase()
  onTestFinished(target.drop)
  await restoreBackup({ url: target.url, file, isMeant: true })
  await startOnce(development, target.url)
})

test('without our listener, Next.js marks the database in production and rejects it in development', { timeout: 60_000 }, async () => {
  expect(await startNextHost({ NODE_ENV: 'production', PUBLIC_URL: publicUrl })).toBe('')
  expect(await readMark()).toBe(true)
  expect(await startNextHost({ NODE_ENV: '' })).toBe(used)
  await pool.query('UPDATE service_state SET serves_production = false')
  expect(await startNextHost({ NODE_ENV: '' })).toBe('')
  await payWithRealMoney()
  expect(await startNextHost({ NODE_ENV: '' })).toBe(paid)
})
