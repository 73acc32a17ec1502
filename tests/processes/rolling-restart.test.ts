/** Tests that gateways can be replaced by new replicas under load, behind load balancers with the configurations in deploy/. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { freePort, type ServiceProcess, startProcess } from '../support/service-process.ts'
import { startBalancer } from './balancers.ts'
import { Load, type LoadResult } from './load.ts'

const database = ownDatabase({ max: 4 })
const credits = 1_000_000
let dataDir = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-rolling-'))
})

afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function newCaller() {
  const account = await makeAccount(database.pool, { credits, perMinute: 1_000_000, perDay: 10_000_000 })
  return { account, key: (await makeKey(database.pool, account)).key }
}

async function getBalance(accountId: number): Promise<number> {
  const { rows } = await database.pool.query<{ balance: string }>('SELECT balance FROM wallet WHERE account_id = $1', [accountId])
  return Number(rows[0]?.balance)
}

/** Waits until this many further calls have succeeded. */
async function more(load: Load, calls: number): Promise<void> {
  const until = load.answered + calls
  while (load.answered < until) await sleep(10)
}

/** Asserts that each successful call was charged one credit, exactly once. */
async function expectPaidOnce(accountId: number, results: readonly LoadResult[]): Promise<void> {
  const paid = results.reduce((sum, { reads, tools }) => sum + reads + tools, 0)
  expect(await getBalance(accountId)).toBe(credits - paid)
  expect((await verifyLedger(database.pool)).differences).toEqual([])
}

const startGateway = (port: number) =>
  startProcess({
    databaseUrl: database.url,
    mount: 'lean',
    dataDir,
    env: { ROLES: 'gateway', PORT: String(port), DRAIN_SECONDS: '2', TRUST_PROXY: '127.0.0.1,::1' },
  })

test('restarts every gateway behind HAProxy and nginx without failing or double-charging a call', async ({ annotate }) => {
  const ports = [await freePort(), await freePort()] as const
  const gateways: (ServiceProcess | null)[] = [await startGateway(ports[0]), null]
  onTestFinished(async () => void (await Promise.all(gateways.map((gateway) => gateway?.stop()))))
  const balancers = await Promise.all([startBalancer('haproxy', ports), startBalancer('nginx', ports)])
  const { account, key } = await newCaller()
  const loads = balancers.map(({ origin }) => new Load(origin, key, ['reads', 'reads', 'reads', 'tools', 'tools']))
  try {
    for (const [oldPlace, newPlace] of [
      [0, 1],
      [1, 0],
    ] as const) {
      await Promise.all(loads.map((load) => more(load, 100)))
      gateways[newPlace] = await startGateway(ports[newPlace])
      // Waits until both load balancers use the new replica: HAProxy does so after its next health check, nginx after `fail_timeout`, both within a second.
      await sleep(1_500)
      await Promise.all(loads.map((load) => more(load, 100)))
      const old = gateways[oldPlace]
      await old?.stop()
      expect(old?.child.exitCode).toBe(0)
    }
    await Promise.all(loads.map((load) => more(load, 100)))
  } finally {
    const results = await Promise.all(loads.map((load) => load.stop()))
    await Promise.all(balancers.map((balancer) => balancer.stop()))
    await Promise.all(gateways.map((gateway) => gateway?.stop()))
    expect(results.flatMap(({ failed }) => failed)).toEqual([])
    await annotate(`HAProxy and nginx: ${JSON.stringify(results)}`)
    for (const { reads, tools } of results) expect(Math.min(reads, tools)).toBeGreaterThan(100)
    await expectPaidOnce(account.id, results)
  }
}, 90_000)
