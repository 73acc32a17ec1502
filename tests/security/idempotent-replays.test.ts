import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { createLeanServer } from '#server/api/http/node-http.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { verifyLedger } from '#server/billing/ledger.ts'
import { clock } from '#server/clock.ts'
import { createLog } from '#server/observability/log.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, call, makeAccount, makeKey, type TestAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceSettings } from '../support/service-settings.ts'
import { getTarget, isLaunched } from '../v1/support/target.ts'

type Gateway = { readonly service: Service; readonly server: Server; readonly api: string }

/** Two gateways on one database. They run in this process, so that the tests can move the clock. */
const database = ownDatabase({ max: 2 })
let first: Gateway
let second: Gateway
const realNow = clock.now

async function startGateway(): Promise<Gateway> {
  const log = createLog('silent')
  const service = await startService({ ...serviceSettings, databaseUrl: database.url }, database.pool, log, async () => [])
  const server = createLeanServer({
    ...service,
    trustProxy: new TrustedProxies(),
    log,
    limits: { ...usualLimits, connections: 100, connectionsOfOne: null },
    answers: () => true,
    otherRoutes: () => null,
    operator: () => null,
    securityHeaders: [],
    fallback: (_request, response) => void response.end(),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { service, server, api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

beforeAll(async () => {
  first = await startGateway()
  second = await startGateway()
})

afterEach(() => {
  clock.now = realNow
})

afterAll(async () => {
  for (const { server, service } of [first, second]) {
    server.closeAllConnections()
    server.close()
    await service.close()
  }
})

const moveClock = (ms: number) => {
  clock.now = () => realNow() + ms
}

async function changeRates(): Promise<void> {
  await database.pool.query(`UPDATE product SET rate_bp = rate_bp + 1, base_rate_bp = base_rate_bp + 1 WHERE dataset = 'live'`)
  await database.pool.query('UPDATE service_state SET version = version + 1, market_version = market_version + 1')
}

async function caller(credits = 100) {
  const account = await makeAccount(database.pool, { credits })
  const { key } = await makeKey(database.pool, account)
  const get = (gateway: Gateway, path: string, idempotencyKey: string) => call(gateway.api, path, key, { headers: { 'Idempotency-Key': idempotencyKey } })
  return { account, key, get }
}

async function balance({ id }: TestAccount): Promise<number> {
  const { rows } = await database.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [id])
  return Number(rows[0]?.balance)
}

const charged = ({ headers }: ApiAnswer) => Number(headers.get('x-svc-credits-charged'))

function expectUnavailable(answer: ApiAnswer, paid: ApiAnswer): void {
  expect([answer.status, answer.body.error, answer.body.data]).toEqual([409, 'replay_unavailable', undefined])
  expect(answer.body.docs).toMatch(/\/docs\/errors\/replay_unavailable$/)
  expect([charged(answer), answer.headers.get('etag'), answer.headers.get('x-svc-idempotent-replay')]).toEqual([0, paid.headers.get('etag'), null])
}

verifies('spending/idempotent-replay-same-page', 'replays the paid page on the gateway that served the first call', async () => {
  const { account, get } = await caller()
  const paid = await get(first, '/rates?limit=3', 'same page')
  await changeRates()
  const replay = await get(first, '/rates?limit=3', 'same page')
  expect([replay.status, charged(replay), replay.headers.get('x-svc-idempotent-replay')]).toEqual([200, 0, 'true'])
  expect(replay.headers.get('etag')).toBe(paid.headers.get('etag'))
  expect(replay.body.data).toEqual(paid.body.data)
  expect([replay.body.meta.generatedAt, replay.body.meta.nextCursor]).toEqual([paid.body.meta.generatedAt, paid.body.meta.nextCursor])
  const current = await get(first, '/rates?limit=3', 'current page')
  expect([charged(current), current.body.data]).not.toEqual([0, paid.body.data])
  expect(await balance(account)).toBe(94)
})

verifies('spending/idempotent-replay-unavailable', 'returns 409 on a gateway that did not serve the first call, once the data has changed', async () => {
  const { account, get } = await caller()
  const paid = await get(first, '/rates?limit=3', 'two gateways')
  await changeRates()
  expectUnavailable(await get(second, '/rates?limit=3', 'two gateways'), paid)
  expect((await get(first, '/rates?limit=3', 'two gateways')).body.data).toEqual(paid.body.data)
  expect(charged(await get(second, '/rates?limit=3', 'a new key'))).toBe(3)
  expect(await balance(account)).toBe(94)
  const { rows } = await database.pool.query('SELECT status, error, credits, units FROM request_log WHERE account_id = $1 AND status = 409', [account.id])
  expect(rows).toEqual([{ status: 409, error: 18, credits: 0, units: 0 }])
})

verifies('spending/idempotent-replay-unavailable', 'returns 409 for a page cut to the balance or a single item, once the data has changed', async () => {
  const { account, get } = await caller(3)
  const cut = await get(first, '/rates?limit=5', 'cut')
  expect(cut.headers.get('etag')).toMatch(/^W\/"[\w-]{22}-3"$/)
  expect((await get(second, '/rates?limit=5', 'cut')).headers.get('etag')).toBe(cut.headers.get('etag'))
  await changeRates()
  expectUnavailable(await get(second, '/rates?limit=5', 'cut'), cut)
  const kept = await get(first, '/rates?limit=5', 'cut')
  expect([kept.body.data, kept.headers.get('x-svc-limit-reduced')]).toEqual([cut.body.data, '3'])
  expect(await balance(account)).toBe(0)

  const { rows } = await database.pool.query<{ key: string }>(`SELECT source_key AS key FROM product WHERE dataset = 'live' ORDER BY 1 LIMIT 1`)
  const other = await caller()
  const item = await other.get(first, `/rates/${rows[0]?.key}`, 'item')
  await changeRates()
  expectUnavailable(await other.get(second, `/rates/${rows[0]?.key}`, 'item'), item)
})

test('returns the right response to each replay in a batch', async () => {
  const { account, get } = await caller()
  const limits = [1, 2, 3, 4, 5, 6]
  const paid = await Promise.all(limits.map((limit) => get(first, `/rates?limit=${limit}`, `batch ${limit}`)))
  await changeRates()
  const free = await get(second, '/rates?limit=7', 'batch 7')
  const answers = await Promise.all([
    ...limits.map((limit) => get(second, `/rates?limit=${limit}`, `batch ${limit}`)),
    get(second, '/rates?limit=7', 'batch 7'),
  ])
  for (const [at, one] of paid.entries()) expectUnavailable(answers[at] as ApiAnswer, one)
  expect([answers.at(-1)?.status, answers.at(-1)?.body.data]).toEqual([200, free.body.data])
  expect(await balance(account)).toBe(100 - 21 - 7)
})

test('does not reveal changed rates to a client that polls with one idempotency key', async () => {
  const { account, get } = await caller()
  const paid = await get(first, '/rates?limit=2', 'poll')
  for (const minute of [1, 3, 5, 8]) {
    await changeRates()
    moveClock(minute * 60_000 + 1_000)
    for (const gateway of [first, second]) {
      const answer = await get(gateway, '/rates?limit=2', 'poll')
      expect([paid.body.data, undefined]).toContainEqual(answer.body.data)
      expect(charged(answer)).toBe(0)
    }
  }
  expect(await balance(account)).toBe(98)
})

verifies('spending/idempotent-replay-free', "no endpoint's ETag changes with the gateway or the time if the data is unchanged", async () => {
  const sql = async <Row extends object>(text: string, values: unknown[] = []) => (await database.pool.query<Row>(text, values)).rows
  for (const entry of registry.filter((one) => isLaunched(one) && one.price.credits > 0)) {
    const { key } = await makeKey(database.pool, await makeAccount(database.pool), { mode: 'test' })
    const target = await getTarget({ sql }, entry, 'sample')
    const now = await call(first.api, target, key)
    moveClock(9 * 60_000)
    await database.pool.query('UPDATE service_state SET version = version + 1')
    const later = await call(second.api, target, key)
    clock.now = realNow
    expect([now.status, later.headers.get('etag')], entry.id).toEqual([200, now.headers.get('etag')])
  }
})

test('balances match the ledger', async () => {
  expect((await verifyLedger(database.pool)).differences).toEqual([])
})
