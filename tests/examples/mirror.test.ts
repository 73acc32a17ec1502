/** Runs the example program in examples/mirror.ts, as a customer would. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Caller, onEachMount } from '../v1/support/fixture.ts'
import { listAll, plenty } from '../v1/support/history.ts'
import { marketChanged } from '../v1/support/operator.ts'

type Row = Record<string, unknown>

const keys = { rates: 'sourceKey', providers: 'slug', 'switch-offers': 'offerKey' } as const

/** Fields that depend on the rest of the market or on the plan, so they can change without a change to the record. */
const derived = new Set(['matchReasons', 'providerLogoUrl', 'productCount', 'topRate', 'accountTypes'])

const own = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => !derived.has(name)))

onEachMount((fixture) => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mirror-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs the program, and returns the credits that it cost. */
  async function run(caller: Caller): Promise<number> {
    const before = await fixture.balance(caller.account)
    const env = { ...process.env, SVC_API_KEY: caller.key, SVC_API_URL: fixture.service.api }
    const { stdout } = await promisify(execFile)(process.execPath, ['examples/mirror.ts', folder], { env })
    const cost = before - (await fixture.balance(caller.account))
    expect(stdout).toContain(`\n${cost} credits\n`)
    return cost
  }

  async function expectEqualToLists(caller: Caller): Promise<void> {
    for (const [list, key] of Object.entries(keys)) {
      const copy = JSON.parse(await readFile(join(folder, `${list}.json`), 'utf8')) as { rows: Record<string, Row> }
      const current = (await listAll(fixture, caller, `/${list}`)) as Row[]
      const byKey = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [String(row[key]), own(row)]))
      expect([list, byKey(Object.values(copy.rows))]).toEqual([list, byKey(current)])
    }
  }

  /** Changes, adds and withdraws products: 1% of the market. */
  async function passDay(n: number): Promise<void> {
    const products = await fixture.sql<{ key: string; slug: string }>(
      `SELECT source_key AS key, provider_slug AS slug FROM product WHERE dataset = 'live' AND withdrawn_at IS NULL ORDER BY md5(source_key || $1::text) LIMIT 15`,
      [n],
    )
    const changed = products.slice(0, 12).map(({ key, slug }) => getLine(key, slug, `${n + 1}.21`))
    const added = getLine(`mirror-${fixture.mount}-${n}`, products[0]?.slug ?? '', '3.21')
    await importFeed(fixture.pool, { source: [...changed, added].join('\n'), fileName: 'products.ndjson', dataset: 'live', partial: true })
    await fixture.sql(
      `WITH import AS (INSERT INTO market_import (dataset, kind, file_name, sha256, rows, added, changed, withdrawn, at, changed_at)
         VALUES ('live', 'product', 'withdrawals', $2, 2, 0, 0, 2, clock_timestamp(), clock_timestamp()) RETURNING changed_at)
       UPDATE product SET withdrawn_at = import.changed_at, updated_at = import.changed_at FROM import WHERE dataset = 'live' AND source_key = ANY ($1)`,
      [products.slice(12, 14).map(({ key }) => key), `mirror-${fixture.mount}-${n}`],
    )
    await marketChanged(fixture)
  }

  function getLine(sourceKey: string, providerSlug: string, rate: string): string {
    const terms = { interestPaid: 'Annually', interestType: 'Variable', access: 'Online', minBalance: '1.00', noticeDays: 30, accountType: 'notice' }
    const about = { accountName: `${sourceKey} account`, fscsDetails: 'An account of a test.', url: 'https://bank.example.test/savings' }
    return JSON.stringify({ kind: 'product', sourceKey, providerSlug, rate, baseRate: rate, ...terms, ...about })
  }

  verifies(
    'snapshots/mirror',
    async () => {
      const caller = await fixture.live(plenty)
      expect(await run(caller)).toBe(120)
      for (let day = 1; day <= 4; day++) {
        await passDay(day)
        const cost = await run(caller)
        expect(cost).toBeGreaterThan(10)
        expect(cost).toBeLessThanOrEqual(30)
        await expectEqualToLists(caller)
      }
      // Without changes, an update is free.
      expect(await run(caller)).toBe(0)
    },
    120_000,
  )
})
