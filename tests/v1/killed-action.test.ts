/** Kills the service during calls that change webhooks, on both mounts, and repeats the calls with their Idempotency-Key after a restart. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { call, makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

const body = JSON.stringify({ url: 'https://receiver.example.com/hook', types: ['rate.changed'] })

const createNumber = 62
const waitForLock = 77_001

describe.each(['lean', 'next'] as const)('%s', (mount) => {
  const database = ownDatabase()
  let dataDir: string
  let service: ServiceProcess
  let account: TestAccount
  let key: string

  const start = async () => {
    service = await startProcess({ databaseUrl: database.url, mount, dataDir })
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'svc-killed-'))
    account = await makeAccount(database.pool)
    key = (await makeKey(database.pool, account, { scopes: ['account:manage'] })).key
    await switchWebhooks({ pool: database.pool }, account.email, true)
    await start()
  })

  afterAll(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const create = (idempotencyKey: string) =>
    call(service.api, '/webhooks', key, { method: 'POST', headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }, body })

  const count = async (table: string, condition = 'true') =>
    (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE account_id = $1 AND ${condition}`, [account.id])).rows[0]?.n ?? 0

  /** Makes a call, kills the service as soon as a statement waits for a lock, and starts the service again. */
  async function killDuring(idempotencyKey: string, release: () => Promise<void>): Promise<void> {
    const lost = create(idempotencyKey).catch(() => null)
    const waiting = async () =>
      (await database.pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")).rowCount ?? 0
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0)
    await service.kill()
    expect(await lost).toBeNull()
    await release()
    await start()
  }

  /** Repeats a call until the transaction of the killed process has ended, and once more. */
  async function repeat(idempotencyKey: string) {
    await expect.poll(async () => (await create(idempotencyKey)).status).toBe(200)
    return create(idempotencyKey)
  }

  verifies('webhooks/api-survives-kill', async () => {
    // Killed before the change is committed: the repeated call makes it.
    const blocker = await database.pool.connect()
    await blocker.query('BEGIN; SELECT FROM webhook_progress FOR UPDATE')
    await killDuring('before', async () => {
      await blocker.query('ROLLBACK')
      blocker.release()
    })
    expect(await count('webhook_endpoint')).toBe(0)
    expect((await repeat('before')).headers.get('x-svc-idempotent-replay')).toBe('true')
    expect(await count('webhook_endpoint')).toBe(1)

    // Killed after the change is committed, while the call is being logged: the repeated call gets the result.
    await database.pool.query(`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.endpoint = ${createNumber} THEN PERFORM pg_advisory_xact_lock_shared(${waitForLock}); END IF; RETURN NEW; END $$;
      CREATE TRIGGER wait_for_test BEFORE INSERT ON request_log FOR EACH ROW EXECUTE FUNCTION wait_for_test()`)
    const holder = await database.pool.connect()
    await holder.query(`SELECT pg_advisory_lock(${waitForLock})`)
    await killDuring('after', async () => {
      await holder.query(`SELECT pg_advisory_unlock(${waitForLock})`)
      holder.release()
    })
    expect(await count('webhook_endpoint')).toBe(2)
    const repeated = await repeat('after')
    expect(repeated.headers.get('x-svc-idempotent-replay')).toBe('true')
    expect(repeated.body.data.secret).toMatch(/^whsec_/)
    expect(await count('webhook_endpoint')).toBe(2)
    expect(await count('audit_entry', "action = 'webhook.create'")).toBe(2)
  })
})
