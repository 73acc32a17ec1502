/** Kills the service during calls that change webhooks, on both mounts, and repeats the calls with their Idempotency-Key after a restart. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { switchWebhooks } from '#server/webhooks/access.ts'
import { verifies } from '../requirements/verifies.ts'
import { call, makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { activityView } from '../support/citus.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

const body = JSON.stringify({ url: 'https://receiver.example.com/hook', types: ['rate.changed'] })

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

  /** Locks rows. Returns a function that releases them. */
  async function hold(rows: string): Promise<() => Promise<void>> {
    const holder = await database.pool.connect()
    await holder.query(`BEGIN; SELECT FROM ${rows} FOR UPDATE`)
    return async () => {
      await holder.query('ROLLBACK')
      holder.release()
    }
  }

  const untilWaiting = () =>
    expect
      .poll(async () => (await database.pool.query(`SELECT FROM ${activityView()} WHERE datname = current_database() AND wait_event_type = 'Lock'`)).rowCount, {
        interval: 10,
      })
      .toBe(1)

  /** Makes a call, kills the service before the change is committed or, `afterChange`, before the call is logged, and starts the service again. */
  async function killDuring(idempotencyKey: string, { afterChange }: { afterChange: boolean }): Promise<void> {
    let release = await hold('webhook_progress')
    const lost = create(idempotencyKey).catch(() => null)
    await untilWaiting()
    if (afterChange) {
      const before = await count('webhook_endpoint')
      const releaseCharge = await hold(`wallet WHERE account_id = ${account.id}`)
      await release()
      await expect.poll(() => count('webhook_endpoint'), { interval: 10 }).toBe(before + 1)
      await untilWaiting()
      release = releaseCharge
    }
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
    // The repeated call makes the change.
    await killDuring('before', { afterChange: false })
    expect(await count('webhook_endpoint')).toBe(0)
    expect((await repeat('before')).headers.get('x-svc-idempotent-replay')).toBe('true')
    expect(await count('webhook_endpoint')).toBe(1)

    // The repeated call gets the result.
    await killDuring('after', { afterChange: true })
    expect(await count('webhook_endpoint')).toBe(2)
    const repeated = await repeat('after')
    expect(repeated.headers.get('x-svc-idempotent-replay')).toBe('true')
    expect(repeated.body.data.secret).toMatch(/^whsec_/)
    expect(await count('webhook_endpoint')).toBe(2)
    expect(await count('audit_entry', "action = 'webhook.create'")).toBe(2)
  })
})
