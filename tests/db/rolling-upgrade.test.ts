import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyLedger } from '#server/billing/ledger.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrationsFolder } from '#server/db/migrations.sql.ts'
import { openPool } from '#server/db/pool.ts'
import { call } from '../support/accounts.ts'
import { emptyDatabase } from '../support/database.ts'
import { unpackPreviousRelease } from '../support/previous-release.ts'
import { startProcess } from '../support/service-process.ts'
import { probes } from './probe-migrations.ts'

const credits = 100_000

/** Seeds data with the previous release: a small market, and three accounts with two keys each. */
const seeding = `
import { changeLimits } from './server/accounts/accounts.ts'
import { openAccount } from './server/billing/ledger.ts'
import { openPool } from './server/db/pool.ts'
import { createKey } from './server/keys/keys.ts'
import { generateMarket } from './server/market/generate/generate-market.ts'
import { importFeed } from './server/market/import/import-feed.ts'
const pool = openPool({ url: process.argv[1], max: 2, applicationName: 'seed', statementTimeoutMs: 30000, onError: console.error })
for (const { fileName, text } of generateMarket({ products: 40, days: 1, seed: 7 })) await importFeed(pool, { source: text, fileName, dataset: 'live' })
const keys = []
for (const name of ['one', 'two', 'three']) {
  const email = name + '@example.test'
  const request = { email, password: null, plan: 'enterprise', isAdmin: false, isApproved: true, isVerified: true }
  const { id } = await openAccount(pool, request, { kind: 'adjustment', credits: ${credits} })
  await changeLimits(pool, email, { perMinute: 1000000, perDay: 100000000 })
  for (let n = 0; n < 2; n++) keys.push((await createKey(pool, { accountId: id, mode: 'live', scopes: ['rates:read'] })).key)
}
await pool.end()
console.log(JSON.stringify(keys))
`

/** Callers, one per key. Each calls the gateways in turn, one call at a time. */
class Load {
  readonly apis: string[] = []
  readonly failures: string[] = []
  served = 0
  charged = 0
  private isOver = false
  private readonly callers: Promise<void>[]

  constructor(api: string, keys: readonly string[]) {
    this.apis.push(api)
    this.callers = keys.map((key) => this.ask(key))
  }

  private async ask(key: string): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const { status, body } = await call(this.apis[n % this.apis.length] ?? '', '/rates?limit=1', key)
      if (status === 200) {
        this.served += 1
        this.charged += body.meta.creditsCharged
      } else this.failures.push(`${status} ${JSON.stringify(body)}`)
      // Keeps the load below the machine's capacity.
      await sleep(15)
    }
  }

  async serves(more: number): Promise<void> {
    const goal = this.served + more
    await vi.waitFor(() => expect(this.served).toBeGreaterThan(goal), { timeout: 20_000, interval: 20 })
  }

  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.callers)
  }
}

async function withProbes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-probes-'))
  await cp(migrationsFolder, folder, { recursive: true })
  for (const { name, sql } of probes) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'migration.sql'), sql)
  }
  return folder
}

/** Holds a transaction open that has read the `account` table, which blocks a migration. */
async function holdTransaction(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN; SELECT count(*) FROM account')
  return async () => {
    await client.query('COMMIT')
    await client.end()
  }
}

test('fails no call and keeps the ledger exact during a rolling upgrade with migrations', {
  timeout: 90_000,
}, async () => {
  await using previous = await unpackPreviousRelease()
  const [database, folder] = [await emptyDatabase(), await withProbes()]
  const pool = openPool({ url: database.url, max: 2, applicationName: 'test', statementTimeoutMs: 30_000, onError: () => undefined })
  const gateway = { databaseUrl: database.url, mount: 'lean', dataDir: 'unused', env: { ROLES: 'gateway' } } as const
  const old = await startProcess({ ...gateway, home: previous.home })
  onTestFinished(() => old.stop())
  const keys: string[] = JSON.parse(await previous.runModule(seeding, database.url))
  const load = new Load(old.api, keys)
  await load.serves(60)

  const lines: string[] = []
  const commit = await holdTransaction(database.url)
  const migrating = migrate(database.url, { folder, log: (line) => lines.push(line) })
  await vi.waitFor(() => expect(lines.join()).toContain('waiting for locks'), { timeout: 20_000, interval: 20 })
  await commit()
  const { applied } = await migrating
  expect(applied.slice(-probes.length)).toEqual(probes.map(({ name }) => name))
  await load.serves(60)

  const today = await startProcess(gateway)
  onTestFinished(() => today.stop())
  load.apis.push(today.api)
  await load.serves(200)
  await load.stop()
  expect(load.failures).toEqual([])
  expect((await verifyLedger(pool)).differences).toEqual([])
  const { rows } = await pool.query<{ left: string }>('SELECT sum(balance) AS left FROM wallet')
  expect(Number(rows[0]?.left)).toBe(3 * credits - load.charged)
  await Promise.all([old.stop(), today.stop(), pool.end(), rm(folder, { recursive: true, force: true })])
  await database.drop()
})
