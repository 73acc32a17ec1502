import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { type OwnServer, startOwnServer } from '../chaos/own-server.ts'
import { ndjson, product, provider } from '../market/feeds.ts'
import { metricsToken } from '../observability/support/scrape.ts'
import { call, makeAccount, makeKey } from '../support/accounts.ts'
import { type ReplicaServer, startReplica } from '../support/replica-server.ts'
import { type ServiceProcess, startProcess } from '../support/service-process.ts'

/** A gateway on a primary with a real streaming replica. */
let primary: OwnServer
let replica: ReplicaServer
let service: ServiceProcess
let key = ''

beforeAll(async () => {
  primary = await startOwnServer()
  key = (await makeKey(primary.pool, await makeAccount(primary.pool, { credits: 10_000 }))).key
  replica = await startReplica(primary.url)
  service = await startProcess({
    databaseUrl: primary.url,
    mount: 'lean',
    dataDir: 'unused',
    env: { ROLES: 'gateway', DATABASE_REPLICA_URL: replica.url, METRICS_TOKEN: metricsToken },
  })
}, 60_000)
afterAll(async () => {
  await service?.stop()
  await replica?.[Symbol.asyncDispose]()
  await primary?.[Symbol.asyncDispose]()
})

let imports = 0

/** Changes a product's rate on the primary and returns the new rate in the format of /history. */
async function changeRate(): Promise<string> {
  const take = (line: Parameters<typeof ndjson>[0]) =>
    importFeed(primary.pool, { source: ndjson(line), fileName: 'feed.ndjson', dataset: 'live', partial: true, confirm: true })
  if (imports === 0) await take(provider('harrow'))
  const base = (3 + ++imports / 100).toFixed(2)
  await take(product('moved', { rate: base, baseRate: base, boostRate: null, boostDuration: null }))
  return base
}

async function newest(): Promise<string> {
  const { status, body } = await call(service.api, '/history?sourceKey=moved&limit=1', key)
  expect(status).toBe(200)
  return body.data[0].newRate
}

/** Returns the number of history queries that the service has sent to the replica. */
const readsThere = async () => (await replica.statements('svc-history')).filter((statement) => statement.includes('rate_change')).length

let asked = 0

/** Requests a different page each time, because responses are cached for a while. */
async function requestNewPage(): Promise<void> {
  expect((await call(service.api, `/history?limit=${++asked}`, key)).status).toBe(200)
}

/** Returns the value of the replica metric. */
async function readMetric(): Promise<string | undefined> {
  const answer = await fetch(`${service.origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return /^svc_history_replica_used (\d)$/m.exec(await answer.text())?.[1]
}

const lines = (words: string) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes(words)).length

test('reads history from the replica, always including the last import', async () => {
  for (let n = 0; n < 3; n++) {
    const rate = await changeRate()
    expect(await newest()).toBe(rate)
  }
  await vi.waitFor(async () => {
    await requestNewPage()
    expect(await readsThere()).toBeGreaterThan(0)
  })
  expect(lines('Reading history from')).toBe(0)
  expect(await readMetric()).toBe('1')
})

test('does not read from a paused replica that is missing required data', async () => {
  await replica.ask('SELECT pg_wal_replay_pause()')
  const rate = await changeRate()
  expect(await newest()).toBe(rate)
  const before = await readsThere()
  await requestNewPage()
  expect(await readsThere()).toBe(before)
  // Once the replica's data is too old, nothing is read from it.
  await vi.waitFor(
    async () => {
      await requestNewPage()
      expect(lines('it is more than 10 seconds behind')).toBe(1)
    },
    { timeout: 18_000, interval: 500 },
  )
  expect(await readMetric()).toBe('0')
  await replica.ask('SELECT pg_wal_replay_resume()')
  await vi.waitFor(async () => expect((await replica.ask('SELECT pg_last_wal_replay_lsn() = pg_last_wal_receive_lsn() AS even'))[0]).toEqual({ even: true }))
  expect(await newest()).toBe(rate)
  await vi.waitFor(
    async () => {
      await requestNewPage()
      expect(await readMetric()).toBe('1')
    },
    { timeout: 5_000, interval: 200 },
  )
}, 40_000)

test('serves all calls while a replica is killed, and uses it again after its restart', async () => {
  await replica.kill()
  for (let n = 0; n < 5; n++) {
    const rate = await changeRate()
    expect(await newest()).toBe(rate)
  }
  expect(lines('Reading history from the primary')).toBe(2)
  const before = await readsThere()
  await replica.start()
  await vi.waitFor(
    async () => {
      await requestNewPage()
      expect(lines('Reading history from the replica again')).toBe(2)
      expect(await readsThere()).toBeGreaterThan(before)
    },
    { timeout: 15_000, interval: 200 },
  )
  expect(lines('Reading history from the primary')).toBe(2)
})
