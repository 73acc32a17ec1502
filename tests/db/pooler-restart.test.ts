import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { type OwnServer, startOwnServer } from '../chaos/own-server.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

/** A gateway behind PgBouncer with the shipped configuration, and a PostgreSQL that the test can kill. */
let server: OwnServer
let pooler: Pgbouncer
let service: ServiceProcess
let dataDir = ''

beforeAll(async () => {
  server = await startOwnServer()
  dataDir = await mkdtemp(join(tmpdir(), 'svc-pooler-restart-'))
  pooler = await startPgbouncer(server.url, 20)
  const env = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: server.url, ROLES: 'gateway' }
  service = await startProcess({ databaseUrl: pooler.url, mount: 'lean', dataDir, env })
})
afterAll(async () => {
  await service?.stop()
  await pooler?.stop()
  await server?.[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

test('PgBouncer starts without a warning under the open-file limit of a Debian service', () => {
  expect(pooler.log()).toContain('process up')
  expect(pooler.log()).not.toMatch(/WARNING/)
})

/** Documented maximum recovery time after a PostgreSQL restart behind PgBouncer. By default, PgBouncer waits 15 s after a failed login. */
const maxRecoveryMs = 3_000

test('serves calls again within seconds of a PostgreSQL restart behind PgBouncer', async () => {
  const { key } = await makeKey(server.pool, await makeAccount(server.pool, { credits: 10_000 }))
  const status = async () => (await call(service.api, '/rates?limit=1', key)).status
  expect(await status()).toBe(200)
  let isOver = false
  const callers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      await status()
      await sleep(20)
    }
  })
  await server.end('SIGKILL')
  await server.untilUp()
  const up = performance.now()
  while ((await status()) !== 200 && performance.now() - up < 20_000) await sleep(20)
  const backMs = performance.now() - up
  isOver = true
  await Promise.all(callers)
  expect(backMs).toBeLessThan(maxRecoveryMs)
  await expect.poll(async () => (await verifyLedger(server.pool)).differences, { timeout: 10_000 }).toEqual([])
}, 60_000)
