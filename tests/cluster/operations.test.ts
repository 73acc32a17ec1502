/** Jobs and commands on a Citus cluster. Runs if CITUS_URL is set: see docs/scaling.md, "Running Citus". */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBackup } from '#server/backup/create-backup.ts'
import { setCap } from '#server/billing/billing-overview.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { migrate, pendingMigrations } from '#server/db/migrate.ts'
import { addUpUsage, dropOldLog } from '#server/metering/usage.ts'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { atDatabase, getClusterUrl, readNodes } from '../support/citus.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()
const dayMs = 86_400_000

test('svc rejects the URL of a worker, and names the setting to change', async () => {
  const [, worker = ''] = await readNodes(getClusterUrl() ?? '')
  const url = atDatabase(worker, new URL(database.url).pathname.slice(1))
  const refusal = "The database is a worker of a Citus cluster. Set DATABASE_URL to the cluster's coordinator."
  await expect(migrate(url, { log: () => undefined })).rejects.toThrow(refusal)
  expect(await pendingMigrations(database.url)).toEqual([])
})

test('svc backup create rejects a cluster, and names the alternative', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  await expect(createBackup(database.url, join(folder, 'all.tar.gz'))).rejects.toThrow('docs/backup.md, "A Citus cluster"')
  await rm(folder, { recursive: true })
})

test('enqueues the job that resumes held webhooks when a monthly cap changes', async () => {
  const { pool } = database
  const account = await makeAccount(pool, { credits: 10 })
  await pool.query('SELECT pgboss.create_queue(\'webhooks.resume\', \'{"policy": "standard", "retryLimit": 0}\')')
  const jobs = async () => (await pool.query<{ jobs: number }>("SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'webhooks.resume'")).rows[0]?.jobs
  const before = (await jobs()) ?? 0
  await setCap({ pool }, account.id, 100, { actor: 'operator' })
  expect(await jobs()).toBe(before + 1)
  await setCap({ pool }, account.id, 100, { actor: 'operator' })
  expect(await jobs()).toBe(before + 1)
})

test('drops log days past the retention period once they are rolled up, and keeps the ledger exact', async () => {
  const { pool } = database
  const account = await makeAccount(pool, { credits: 20 })
  const { id: keyId } = await makeKey(pool, account)
  const at = new Date(Date.now() - 100 * dayMs)
  await pool.query('SELECT make_log_partitions($1::date, 1)', [at])
  await pool.query(
    `INSERT INTO request_log (id, account_id, key_id, tx, balance, at, credits, units, endpoint, status, error)
     SELECT first_id_at($2::timestamptz), $1, k.id, s.epoch, 16, $2, 4, 1, 1, 200, 0 FROM api_key k, cluster_state s WHERE k.public_id = $3`,
    [account.id, at, keyId],
  )
  await pool.query('UPDATE wallet SET balance = 16 WHERE account_id = $1', [account.id])
  expect(await dropOldLog(pool, 90)).toBe(0)
  await addUpUsage(pool)
  expect(await dropOldLog(pool, 90)).toBe(1)
  expect((await pool.query('SELECT credits::int FROM dropped_charge WHERE account_id = $1', [account.id])).rows).toEqual([{ credits: 4 }])
  expect((await verifyLedger(pool)).differences).toEqual([])
})
