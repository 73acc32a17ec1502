import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import type { Manifest } from '#server/backup/backup-format.ts'
import { verifyBackup } from '#server/backup/read-backup.ts'
import { adjustCredits } from '#server/billing/ledger.ts'
import type { Database } from '#server/db/prisma.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { importFeed } from '#server/market/import/import-feed.ts'
import { ndjson, product, provider } from '../../market/feeds.ts'
import { emptyDatabase, type TestDatabase } from '../../support/database.ts'
import { endPool, openTestPool, watched } from '../../support/test-pool.ts'
import { type Caller, Fixture } from '../../v1/support/fixture.ts'
import { environment, svc } from './svc.ts'

export async function withPool<T>(url: string, use: (pool: Database) => Promise<T>): Promise<T> {
  const pool = watched(openTestPool({ connectionString: url, max: 2 }))
  return use(pool).finally(() => endPool(pool))
}

type Made = { readonly folder: string; readonly buyer: Caller; readonly revoked: Caller; readonly blocked: Caller; readonly first: Manifest }

/** Test server with its own accounts and market, and `first.tar.gz`, a backup made under load. */
export class BackupFixture {
  readonly fixture = new Fixture('lean')
  readonly #targets: TestDatabase[] = []
  #made: Made | null = null

  get #here(): Made {
    if (this.#made === null) throw new Error('The backup does not exist yet. Use it inside a test.')
    return this.#made
  }

  /** Account that makes charged calls. */
  get buyer(): Caller {
    return this.#here.buyer
  }

  /** Key revoked before the backup. */
  get revoked(): Caller {
    return this.#here.revoked
  }

  /** Key of an account blocked before the backup. */
  get blocked(): Caller {
    return this.#here.blocked
  }

  get first(): Manifest {
    return this.#here.first
  }

  get folder(): string {
    return this.#here.folder
  }

  readonly path = (name: string): string => join(this.folder, name)

  async open(): Promise<void> {
    const { fixture } = this
    await fixture.open({})
    const folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
    const buyer = await fixture.live({ credits: 100_000, perMinute: 100_000, perDay: 1_000_000 })
    const [revoked, blocked] = [await fixture.live(), await fixture.live()]
    const env = environment({ url: fixture.databaseUrl })
    await this.#importMarket()
    await revokeKey(fixture.pool, revoked.keyId)
    await blockAccount(fixture.pool, blocked.account.email, 'For testing.')
    const hook = ['webhook', 'create', '--account', buyer.account.email, '--url', 'https://hooks.example.com/', '--types', 'all']
    expect(await svc(env, hook)).toMatchObject({ code: 0, err: '' })
    // Rolls up the calls made so far, so that the backup contains both rolled-up and new calls.
    for (let calls = 0; calls < 20; calls += 1) await fixture.get('/rates?limit=1', buyer.key)
    await fixture.sql('SELECT roll_up_usage()')
    let isOver = false
    const load = this.#makeLoad(buyer, revoked, () => isOver)
    const created = await svc(env, ['backup', 'create', '--out', join(folder, 'first.tar.gz'), '--json'])
    isOver = true
    await load
    expect(created).toMatchObject({ code: 0, err: '' })
    const first = await verifyBackup(join(folder, 'first.tar.gz'))
    expect(JSON.parse(created.out)).toMatchObject({ moment: first.moment, sums: first.sums, ledger: { differences: 0 } })
    this.#made = { folder, buyer, revoked, blocked, first }
  }

  async #importMarket(): Promise<void> {
    const take = (line: Record<string, unknown>) =>
      importFeed(this.fixture.pool, { source: ndjson(line), fileName: 'backup.ndjson', dataset: 'live', partial: true })
    await take(provider('backup'))
    await take(product('backup-saver', { providerSlug: 'backup' }))
    await take(product('backup-saver', { providerSlug: 'backup', rate: '4.60', baseRate: '3.35' }))
  }

  /** Makes charged and rejected calls and adds credits until `isOver` returns true. */
  async #makeLoad(buyer: Caller, revoked: Caller, isOver: () => boolean): Promise<void> {
    const { fixture } = this
    const caller = async () => {
      while (!isOver()) await fixture.get('/rates?limit=2', buyer.key)
    }
    const operator = async () => {
      while (!isOver()) {
        await fixture.get('/rates?limit=2', revoked.key)
        await adjustCredits(fixture.pool, buyer.account.id, 10, 'Load.')
      }
    }
    await Promise.all([caller(), caller(), caller(), operator()])
  }

  /** Returns the URL of an empty database. */
  async newTarget(): Promise<string> {
    const target = await emptyDatabase()
    this.#targets.push(target)
    return target.url
  }

  async close(): Promise<void> {
    for (const target of this.#targets) await target.drop()
    await this.fixture.close()
    if (this.#made) await rm(this.#made.folder, { recursive: true, force: true })
  }
}
