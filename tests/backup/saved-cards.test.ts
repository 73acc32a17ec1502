import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBackup } from '#server/backup/create-backup.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { beginAutoTopUps, resolveAutoTopUps } from '#server/billing/auto-top-up.ts'
import type { Database } from '#server/db/prisma.ts'
import { BillingFixture } from '../billing/support/billing-fixture.ts'
import { getPortal } from '../billing/support/portal.ts'
import { Savers } from '../billing/support/savers.ts'
import type { TestAccount } from '../support/accounts.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { withPool } from './support/backup-fixture.ts'

const fixture = new BillingFixture()
const savers = new Savers(fixture)
const running = new AbortController().signal
let folder = ''
let target: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  target = await emptyDatabase()
})
afterAll(async () => {
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a worker's billing jobs on the restored ledger while the account spends credits. */
async function work(pool: Database, account: TestAccount): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await beginAutoTopUps({ ...fixture.deps(), pool }, running)
    await resolveAutoTopUps({ ...fixture.deps(), pool }, running)
    await pool.query("UPDATE auto_top_up SET not_before = NULL; UPDATE top_up SET created_at = created_at - interval '3 minutes' WHERE state = 'open'")
    await pool.query("SELECT enter_credits($1, 'adjustment', -100, 'test', 'Spent.', NULL)", [account.id])
  }
}

test('never charges saved cards after a restore, including cards charged or removed since the backup', { timeout: 60_000 }, async () => {
  const [charged, removed, underWay] = [await savers.saver({ thresholdCredits: 50 }), await savers.saver(), await savers.saver()]
  for (const account of [charged, removed]) await savers.spend(account, 1)
  await savers.beginWithoutRequest(underWay)
  const file = join(folder, 'cards.tar.gz')
  await createBackup(fixture.url, file)
  await getPortal(fixture.deps(), removed).billing.removeCard()
  await savers.begin()
  expect([charged, removed, underWay].map((account) => savers.getCharges(account).length)).toEqual([1, 0, 0])
  expect(await restoreBackup({ url: target.url, file, isMeant: true })).toMatchObject({ autoTopUpsEnded: 3 })
  await withPool(target.url, async (pool) => {
    for (const account of [charged, removed, underWay]) await work(pool, account)
    expect([charged, removed, underWay].map((account) => savers.getCharges(account).length)).toEqual([1, 0, 0])
    const { billing } = getPortal({ ...fixture.deps(), pool }, charged)
    expect(await billing.overview()).toMatchObject({ card: null, autoTopUp: { isOn: false, offReason: 'The service was restored from a backup.' } })
    const { rows } = await pool.query("SELECT account_id::int AS id, kind, data FROM billing_notice WHERE kind = 'auto_top_up.stopped' ORDER BY account_id")
    expect(rows).toEqual([charged, removed, underWay].map(({ id }) => ({ id, kind: 'auto_top_up.stopped', data: { cause: 'restore' } })))
  })
})
