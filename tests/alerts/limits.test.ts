/** Tests the limits and settings of market alerts, and evaluation when workers are killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { previewAlert } from '#server/alerts/alert-settings.ts'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { createAlert, updateAlert } from '#server/alerts/manage-alerts.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { maxAlerts, type NewAlert } from '#server/api/contract/market-alerts.ts'
import { product } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { openAlerts, ownerOf, take, takeProviders } from './support/alert-fixture.ts'

const database = ownDatabase()

const valid: NewAlert = { name: 'Harrow', kind: 'providers', filter: {}, providers: ['harrow'], frequency: 'immediate', byEmail: true, byWebhook: false }

verifies('alerts/limit-by-plan', async () => {
  await takeProviders(database.pool)
  const deps = await openAlerts(database.pool)
  const account = await makeAccount(database.pool, { plan: 'hobby' })
  const results = await Promise.allSettled(Array.from({ length: maxAlerts.hobby + 5 }, () => createAlert(deps, ownerOf(account), valid)))
  const failures = results.filter((result) => result.status === 'rejected')
  expect(failures.map(({ reason }) => (reason as FieldsError).faults)).toEqual(
    Array.from({ length: 5 }, () => ({ form: `Your plan includes ${maxAlerts.hobby} alerts. Delete one first.` })),
  )
  expect(await database.pool.marketAlert.count({ where: { accountId: account.id } })).toBe(maxAlerts.hobby)
})

test.each([
  [{ name: ' ' }, { name: 'Enter a name.' }],
  [{ name: 'Two\r\nBcc: x@example.test' }, { name: "A name can't contain line breaks or control characters." }],
  [{ providers: [] }, { providers: 'Enter at least one provider.' }],
  [{ providers: ['nobody'] }, { providers: 'There is no provider "nobody". Use a slug from /reference/providers.' }],
  [{ byEmail: false }, { delivery: 'Choose email, webhook or both.' }],
  [{ kind: 'products' }, { filter: 'Choose at least one filter.' }],
  [{ kind: 'products', filter: { sort: 'rate' } }, { filter: expect.stringContaining('Unknown filter "sort".') }],
  [{ kind: 'products', filter: { type: 'easy-acess' } }, { filter: expect.stringContaining('Did you mean "easy-access"?') }],
  [{ kind: 'products', filter: { minRate: '5', maxRate: '4' } }, { filter: expect.stringContaining('"minRate" is higher than "maxRate".') }],
] as const)('rejects %j', async (given, faults) => {
  await takeProviders(database.pool)
  const deps = await openAlerts(database.pool)
  const account = await makeAccount(database.pool)
  const error = await createAlert(deps, ownerOf(account), { ...valid, ...given } as NewAlert).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FieldsError)
  expect((error as FieldsError).faults).toEqual(faults)
})

test('tracks exactly the products that /rates returns for the amount', async () => {
  await takeProviders(database.pool)
  await take(database.pool, product('amount-small', { minBalance: '1.00', maxBalance: '1000.00' }), product('amount-large', { minBalance: '600.00' }))
  const deps = await openAlerts(database.pool)
  const preview = previewAlert(deps, { kind: 'products', filter: { amount: '500', provider: 'harrow', sourceKey: 'amount-small,amount-large' }, providers: [] })
  const byProvider = previewAlert(deps, { kind: 'products', filter: { amount: '500', provider: 'harrow' }, providers: [] })
  expect([preview.count, byProvider.samples.map(({ sourceKey }) => sourceKey)]).toEqual([1, expect.not.arrayContaining(['amount-large'])])
})

test("lets only an alert's creator turn on its emails, and writes no audit entry if nothing changes", async () => {
  await takeProviders(database.pool)
  const deps = await openAlerts(database.pool)
  const account = await makeAccount(database.pool)
  const colleague = await makeAccount(database.pool)
  await database.pool.membership.create({ data: { accountId: account.id, memberId: colleague.id, role: 'billing' } })
  const { id } = await createAlert(deps, ownerOf(account), { ...valid, byEmail: false, byWebhook: true })
  const other = { ...ownerOf(account), signInId: colleague.id, by: { actor: 'account', memberId: colleague.id } as const }
  const both = { ...valid, byEmail: true, byWebhook: true }
  const error = await updateAlert(deps, other, id, both).catch((reason: unknown) => reason)
  expect((error as FieldsError).faults).toEqual({ delivery: expect.stringContaining('emails only the person who created it') })
  await updateAlert(deps, ownerOf(account), id, both)
  await updateAlert(deps, ownerOf(account), id, both)
  const { rows } = await database.pool.query<{ before: object; after: object }>(
    "SELECT before, after FROM audit_entry WHERE account_id = $1 AND action = 'market-alert.update'",
    [account.id],
  )
  expect(rows).toEqual([{ before: expect.objectContaining({ byEmail: false }), after: expect.objectContaining({ byEmail: true }) }])
})

test('previews the currently matching products', async () => {
  await takeProviders(database.pool)
  const keys = Array.from({ length: 7 }, (_, n) => `preview-${n}`)
  await take(database.pool, ...keys.map((key) => product(key)))
  const deps = await openAlerts(database.pool)
  const { count, samples } = previewAlert(deps, { kind: 'products', filter: { sourceKey: keys.join() }, providers: [] })
  expect([count, samples.map(({ sourceKey }) => sourceKey)]).toEqual([7, keys.slice(0, 5)])
})

const rounds = 4

const startWorker = (): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'support/alert-process.ts'), JSON.stringify({ databaseUrl: database.url })], { stdio: 'inherit' })

verifies(
  'alerts/kill',
  'neither loses nor repeats a notification when workers are killed during evaluation',
  async () => {
    await takeProviders(database.pool)
    const deps = await openAlerts(database.pool)
    await database.pool.query('TRUNCATE market_alert CASCADE')
    const account = await makeAccount(database.pool)
    for (let n = 0; n < maxAlerts.enterprise; n++) await createAlert(deps, ownerOf(account), { ...valid, name: `Alert ${n}` })
    await take(database.pool, product('killed-product'))
    const count = () => database.pool.marketAlertNotification.count()
    for (let round = 0; round < rounds && (await count()) < maxAlerts.enterprise; round++) {
      const workers = [startWorker(), startWorker()]
      const before = await count()
      await expect.poll(count, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before)
      await sleep(Math.random() * 50)
      for (const worker of workers) worker.kill('SIGKILL')
      await Promise.all(workers.map(async (worker) => worker.exitCode === null && worker.signalCode === null && once(worker, 'exit')))
    }
    await evaluateAlerts(deps)
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS all, count(DISTINCT alert_id)::int AS alerts, sum(change_count)::int AS changes FROM market_alert_notification',
    )
    expect(rows).toEqual([{ all: maxAlerts.enterprise, alerts: maxAlerts.enterprise, changes: maxAlerts.enterprise }])
  },
  120_000,
)
