import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { createLeanServer } from '#server/api/http/node-http.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'
import { createLog } from '#server/observability/log.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { verifies } from '../requirements/verifies.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { serviceSettings } from '../support/service-settings.ts'
import { openTestPool } from '../support/test-pool.ts'

/** Service that runs in the test process, because tests can only change the clock of the process that they run in. */
let database: TestDatabase
let pool: Database
let service: Service
let server: Server
let api: string

beforeAll(async () => {
  database = await cloneDatabase()
  pool = openTestPool({ connectionString: database.url, max: 4 })
  pool.on('error', () => {})
  service = await startService({ ...serviceSettings, databaseUrl: database.url }, pool, createLog('silent'), async () => [])
  const { pipeline, router, tools, health } = service
  server = createLeanServer({
    pipeline,
    router,
    tools,
    health,
    trustProxy: new TrustedProxies(),
    log: createLog('silent'),
    limits: { ...usualLimits, connections: 100, connectionsOfOne: null },
    answers: () => true,
    otherRoutes: () => null,
    operator: () => null,
    securityHeaders: [],
    fallback: (_request, response) => void response.end(),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})

const realNow = clock.now
const moveClock = (ms: number) => {
  const stoodAt = realNow()
  clock.now = () => stoodAt + ms
}

afterEach(() => {
  clock.now = realNow
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await service.close()
  await pool.end()
  await database.drop()
})

verifies('sharing/up-to-sixty-seconds', async () => {
  const { key } = await makeKey(pool, await makeAccount(pool, { credits: 1_000 }))
  moveClock(0)
  const start = clock.now()
  const at = async (ms: number, path: string) => {
    clock.now = () => start + ms
    const { headers, body } = await call(api, path, key)
    return [headers.get('x-svc-cache'), Date.parse(body.meta.generatedAt) - start]
  }
  expect(await at(0, '/rates?limit=4')).toEqual(['miss', 0])
  expect(await at(1, '/rates?limit=4')).toEqual(['hit', 0])
  expect(await at(59_999, '/rates?limit=4')).toEqual(['hit', 0])
  // An equivalent query uses the same shared result.
  expect(await at(59_999, '/rates?limit=04')).toEqual(['hit', 0])
  expect(await at(60_000, '/rates?limit=04')).toEqual(['miss', 60_000])
  expect(await at(60_001, '/rates?limit=4')).toEqual(['hit', 60_000])
  expect(await at(120_000, '/rates?limit=4')).toEqual(['miss', 120_000])
})

test('does not share a result computed before the clock was set back', async () => {
  const { key } = await makeKey(pool, await makeAccount(pool, { credits: 1_000 }))
  const start = realNow()
  const at = async (ms: number) => {
    clock.now = () => start + ms
    const { headers, body } = await call(api, '/rates?limit=3', key)
    return [headers.get('x-svc-cache'), Date.parse(body.meta.generatedAt) - start]
  }
  expect(await at(600_000)).toEqual(['miss', 600_000])
  expect(await at(0)).toEqual(['miss', 0])
  expect(await at(1)).toEqual(['hit', 0])
})

verifies('sharing/each-request-charged', 'charges each request before and after a result is rebuilt', async () => {
  const account = await makeAccount(pool, { credits: 100 })
  const { key } = await makeKey(pool, account)
  const balances = []
  const start = realNow()
  for (const ms of [0, 30_000, 61_000]) {
    clock.now = () => start + ms
    balances.push((await call(api, '/rates?limit=6', key)).body.meta.creditsBalance)
  }
  expect(balances).toEqual([94, 88, 82])
})
