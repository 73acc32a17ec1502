import { PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { connectJobs, sendJobs } from '#server/db/queues.sql.ts'
import { ownDatabase } from '../support/own-database.ts'

const database = ownDatabase()

/** Starts pg-boss without scheduling or maintenance. Fails if the tables belong to another schema version. */
async function start(): Promise<PgBoss> {
  return new PgBoss({ db: connectJobs(database.pool), migrate: false, createSchema: false, schedule: false, supervise: false, registerInstance: false }).start()
}

test('the migrations create the tables that the installed version of pg-boss expects', async () => {
  const boss = await start()
  const { ok, ...drift } = await boss.detectSchemaDrift()
  expect({ ok, drift }).toMatchObject({ ok: true })
  await boss.stop({ close: false })
})

test('send_job adds the same job as pg-boss', async () => {
  const boss = await start()
  const options = { retryLimit: 4, retryDelay: 3, retryBackoff: true, retryDelayMax: 40, expireInSeconds: 70, deleteAfterSeconds: 80, retentionSeconds: 900 }
  await boss.createQueue('test.dead')
  await boss.createQueue('test.same', { ...options, deadLetter: 'test.dead', heartbeatSeconds: 20 })
  await boss.send('test.same')
  await sendJobs(database.pool, ['test.same', 'test.unknown'])
  const { rows } = await database.pool.query<{ job: Record<string, unknown> }>(
    `SELECT to_jsonb(j) - 'id' - 'created_on' - 'start_after' - 'keep_until' || jsonb_build_object('kept', keep_until - start_after) AS job FROM pgboss.job j ORDER BY created_on`,
  )
  expect(rows).toHaveLength(2)
  expect(rows[1]).toEqual(rows[0])
  await boss.stop({ close: false })
})
