/** Tests what market alerts report, and that they report each change once. */
import { expect, test } from 'vitest'
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { deleteAlert, pauseAlert, resumeAlert, updateAlert } from '#server/alerts/manage-alerts.ts'
import type { NewAlert } from '#server/api/contract/market-alerts.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bumpMarketVersion } from '#server/market/market-version.ts'
import { product } from '../market/feeds.ts'
import { verifies } from '../requirements/verifies.ts'
import { makeAccount } from '../support/accounts.ts'
import { ownDatabase } from '../support/own-database.ts'
import { addAlert, getNotifications, openAlerts, ownerOf, take, takeProviders } from './support/alert-fixture.ts'

const database = ownDatabase()
let made = 0

/** Returns a new source key. */
const newKey = () => `alert-product-${++made}`

async function open() {
  await takeProviders(database.pool)
  return openAlerts(database.pool)
}

/** Withdraws a product, as a complete feed without it does. */
const withdraw = (key: string) =>
  inTransaction(database.pool, async (tx) => {
    await tx.product.updateMany({ where: { dataset: 'live', sourceKey: key }, data: { withdrawnAt: new Date() } })
    await bumpMarketVersion(tx)
  })

const low = { rate: '4.00', baseRate: '4.00', boostRate: '0.00', boostDuration: null }
const high = { rate: '4.75', baseRate: '4.75', boostRate: '0.00', boostDuration: null }

verifies(['alerts/changes-reported', 'alerts/baseline'], 'reports products that start or stop matching, and rate changes of matching products', async () => {
  const [deps, key] = [await open(), newKey()]
  await take(database.pool, product(key, high))
  const { id } = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } })
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toEqual([])
  const steps = [
    [
      { ...high, rate: '4.80', baseRate: '4.80' },
      { change: 'rate_up', fromRate: '4.75', toRate: '4.80' },
    ],
    [high, { change: 'rate_down', fromRate: '4.80', toRate: '4.75' }],
    [low, { change: 'unmatched', fromRate: '4.75', toRate: '4.00' }],
    [high, { change: 'matched', fromRate: null, toRate: '4.75' }],
    [null, { change: 'withdrawn', fromRate: '4.75', toRate: null }],
  ] as const
  for (const [facts, change] of steps) {
    if (facts === null) await withdraw(key)
    else await take(database.pool, product(key, facts))
    await evaluateAlerts(deps)
    const [last] = (await getNotifications(database.pool, id)).slice(-1)
    expect(last).toEqual({ count: 1, changes: [{ sourceKey: key, provider: 'harrow Bank', accountName: 'Easy Access Saver', ...change }] })
  }
  expect(await getNotifications(database.pool, id)).toHaveLength(steps.length)
})

verifies('alerts/any-change-at-providers', async () => {
  const [deps, key] = [await open(), newKey()]
  await take(database.pool, product(key, { ...low, providerSlug: 'brook' }))
  const { id } = await addAlert(deps, { kind: 'providers', providers: ['brook'], filter: {} })
  await take(database.pool, product(key, { ...low, providerSlug: 'brook', minBalance: '500.00' }), product(newKey(), low))
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toMatchObject([
    { count: 1, changes: [{ change: 'terms_changed', sourceKey: key, provider: 'brook Bank' }] },
  ])
})

test("doesn't report the first known Bank Rate as a change", async () => {
  const deps = await open()
  const { id } = await addAlert(deps, { kind: 'bank-rate', filter: {} })
  await database.pool.marketAlert.update({ where: { publicId: id }, data: { state: {}, evaluatedVersion: 0 } })
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toEqual([])
  const { state } = await database.pool.marketAlert.findUniqueOrThrow({ where: { publicId: id } })
  expect(Object.keys(state as object)).toEqual([''])
})

verifies('alerts/bank-rate', async () => {
  const deps = await open()
  const { id } = await addAlert(deps, { kind: 'bank-rate', filter: {} })
  const before = deps.current().dataset('live').statistics.bankRate()?.currentBp ?? 0
  await database.pool.query(
    `INSERT INTO statistic SELECT series, date + 1, '1.25', source, licence, fetched_at FROM statistic WHERE series = 'IUDBEDR' ORDER BY date DESC LIMIT 1`,
  )
  await inTransaction(database.pool, bumpMarketVersion)
  await evaluateAlerts(deps)
  const change = { change: before > 125 ? 'rate_down' : 'rate_up', accountName: 'Bank Rate', sourceKey: null, provider: null, toRate: '1.25' }
  expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [change] }])
})

verifies('alerts/exactly-once', 'reports a change once, even if several processes evaluate concurrently or with an outdated market', async () => {
  const [deps, key] = [await open(), newKey()]
  const ids = await Promise.all(Array.from({ length: 12 }, async () => (await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } })).id))
  const old = deps.current()
  await take(database.pool, product(key, high))
  const others = await Promise.all(Array.from({ length: 4 }, () => openAlerts(database.pool)))
  await Promise.all(others.map((other) => evaluateAlerts(other)))
  await evaluateAlerts({ ...deps, latest: async () => old })
  await evaluateAlerts(deps)
  for (const id of ids) expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [{ change: 'matched', sourceKey: key }] }])
})

verifies('alerts/failure-loses-nothing', async () => {
  const [deps, key] = [await open(), newKey()]
  const account = await makeAccount(database.pool)
  const broken = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } }, account)
  const whole = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } }, account)
  await database.pool.query(`UPDATE market_alert SET filter = '{"type": "no such type"}' WHERE public_id = $1`, [broken.id])
  await take(database.pool, product(key, high))
  await expect(evaluateAlerts(deps)).rejects.toThrow('Market alerts that could not be evaluated: 1.')
  expect([await getNotifications(database.pool, broken.id), await getNotifications(database.pool, whole.id)]).toMatchObject([[], [{ count: 1 }]])
  await database.pool.query('UPDATE market_alert SET filter = $2 WHERE public_id = $1', [broken.id, JSON.stringify({ minRate: '4.6', sourceKey: key })])
  await evaluateAlerts(deps)
  for (const { id } of [broken, whole]) expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [{ change: 'matched' }] }])
})

test("doesn't report changes made while the alert was paused or tracked something else", async () => {
  const [deps, key] = [await open(), newKey()]
  const { id, account } = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } })
  const owner = ownerOf(account)
  await pauseAlert(deps, owner, id)
  await take(database.pool, product(key, high))
  await evaluateAlerts(deps)
  await resumeAlert(deps, owner, id)
  const edited: NewAlert = {
    name: 'Another name',
    kind: 'products',
    filter: { minRate: '4.6', sourceKey: key },
    providers: [],
    frequency: 'daily',
    byEmail: true,
    byWebhook: false,
  }
  await updateAlert(deps, owner, id, edited)
  await evaluateAlerts(deps)
  await take(database.pool, product(key, { ...high, rate: '4.90', baseRate: '4.90' }))
  await deps.latest()
  await updateAlert(deps, owner, id, { ...edited, filter: { minRate: '4.5', sourceKey: key } })
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toEqual([])
  await deleteAlert(deps, owner, id)
  expect(await database.pool.marketAlert.count({ where: { publicId: id } })).toBe(0)
})

test('still reports earlier changes after an alert is renamed', async () => {
  const [deps, key] = [await open(), newKey()]
  const { id, account } = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } })
  await take(database.pool, product(key, high))
  await deps.latest()
  const renamed: NewAlert = {
    name: 'Renamed',
    kind: 'products',
    filter: { sourceKey: key, minRate: '4.6' },
    providers: [],
    frequency: 'immediate',
    byEmail: true,
    byWebhook: false,
  }
  await updateAlert(deps, ownerOf(account), id, renamed)
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [{ change: 'matched', sourceKey: key }] }])
})

verifies('alerts/blocked-account', async () => {
  const [deps, key] = [await open(), newKey()]
  const { id, account } = await addAlert(deps, { filter: { minRate: '4.6', sourceKey: key } })
  await database.pool.query("UPDATE account SET state = 'blocked' WHERE id = $1", [account.id])
  await take(database.pool, product(key, high))
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toEqual([])
  await database.pool.query("UPDATE account SET state = 'open' WHERE id = $1", [account.id])
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toEqual([])
  await take(database.pool, product(key, { ...high, rate: '4.90', baseRate: '4.90' }))
  await evaluateAlerts(deps)
  expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [{ change: 'rate_up' }] }])
})

verifies('alerts/needs-live-access', async () => {
  const [deps, key, later] = [await open(), newKey(), `later-${newKey()}`]
  const filter = { minRate: '4.6', sourceKey: key }
  const [review, overdue] = [await addAlert(deps, { filter }), await addAlert(deps, { filter })]
  await database.pool.query("UPDATE account SET state = 'review' WHERE id = $1", [review.account.id])
  await database.pool.account.updateMany({ where: { id: { not: overdue.account.id } }, data: { acceptedLicence: later } })
  await database.pool.licenceVersion.create({ data: { label: later, publishedAt: new Date(), graceEndsAt: new Date(Date.now() - 1_000) } })
  await take(database.pool, product(key, high))
  await evaluateAlerts(deps)
  for (const { id } of [review, overdue]) expect(await getNotifications(database.pool, id)).toEqual([])

  await database.pool.account.updateMany({ data: { acceptedLicence: later, state: 'open' } })
  await evaluateAlerts(deps)
  await take(database.pool, product(key, { ...high, rate: '4.90', baseRate: '4.90' }))
  await evaluateAlerts(deps)
  for (const { id } of [review, overdue]) expect(await getNotifications(database.pool, id)).toMatchObject([{ count: 1, changes: [{ change: 'rate_up' }] }])
  await database.pool.licenceVersion.delete({ where: { label: later } })
})

test('lists 50 changes and counts all of them', async () => {
  const deps = await open()
  const keys = Array.from({ length: 60 }, newKey)
  const { id } = await addAlert(deps, { kind: 'providers', providers: ['harrow'], filter: {} })
  await take(database.pool, ...keys.map((key) => product(key, high)))
  await evaluateAlerts(deps)
  const [notification] = await getNotifications(database.pool, id)
  expect([notification?.count, notification?.changes.length]).toEqual([60, 50])
})
