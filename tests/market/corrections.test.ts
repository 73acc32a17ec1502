import { expect, test } from 'vitest'
import type { AdminActor } from '#server/accounts/audit.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { openAccount } from '#server/billing/ledger.ts'
import { getMorning } from '#server/market/admin/imports.ts'
import {
  type Corrector,
  correctProduct,
  endDueCorrections,
  endProductCorrection,
  previewCorrection,
  withdrawProduct,
} from '#server/market/corrections/correct-product.ts'
import { typedTerms } from '#server/market/corrections/plan-correction.ts'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import { pageData } from '#server/market/page-data.ts'
import { ownDatabase } from '../support/own-database.ts'
import { type Line, ndjson, product, provider } from './feeds.ts'
import { checkHistory, storedChanges, storedEvents } from './history/stored-history.ts'
import { readRows, readVersions } from './market-database.ts'

const tables = 'market_event, moved_row, rate_change, service_quality, account_offer, switch_offer, card, product, provider, market_import, product_correction'
const market = ownDatabase({ prepare: (pool) => pool.query(`TRUNCATE ${tables}`) })

const take = (lines: Line[], options: Partial<Feed> = {}) =>
  importFeed(market.pool, { source: ndjson(...lines), fileName: 'feed.ndjson', dataset: 'live', ...options })

const now = Date.parse('2026-11-21T12:00:00Z')
const deps = () => ({ pool: market.pool, sources: [], now: () => now })

let actor: AdminActor | undefined
async function corrector(): Promise<Corrector> {
  if (!actor) {
    const request = { email: 'a@example.test', password: null, plan: 'hobby' as const, isAdmin: true, isApproved: true, isVerified: true }
    const { id } = await openAccount(market.pool, request, { kind: 'adjustment', credits: 1 })
    actor = { actor: 'admin', adminId: id, reason: 'The bank says otherwise.', address: null }
  }
  return { actor, publicId: 'acc_admin' }
}

const getRow = async (key: string) => {
  const { rows } = await market.pool.query("SELECT to_jsonb(p) AS row FROM product p WHERE dataset = 'live' AND source_key = $1", [key])
  return rows[0]?.row ?? expect.unreachable(`No product ${key}.`)
}

const saver = (rate: string, facts: Line = {}) => product('a', { rate, baseRate: rate, boostRate: null, boostDuration: null, ...facts })

async function correct(key: string, typed: Partial<ReturnType<typeof typedTerms>>, until = ''): Promise<void> {
  const row = await getRow(key)
  await correctProduct(deps(), await corrector(), { sourceKey: key, seen: row.updated_at, until, ...typedTerms(row), ...typed })
}

const withdraw = async (key: string, until = '') => withdrawProduct(deps(), await corrector(), { sourceKey: key, seen: (await getRow(key)).updated_at, until })

async function open(): Promise<void> {
  await take([provider('harrow')])
  await take([saver('4.50'), product('b')])
}

const everything = async () => [await readRows(market.pool), await readVersions(market.pool), await storedChanges(market.pool), await storedEvents(market.pool)]
const lastEvents = async (count: number) => (await storedEvents(market.pool)).slice(-count).map(({ type, subject, change }) => [type, subject, change])

test('writes history and events for a correction once, and the next import does not undo it', async () => {
  await open()
  const { marketVersion } = await readVersions(market.pool)
  await correct('a', { rate: '4.25' })
  expect(await getRow('a')).toMatchObject({ rate_bp: 425, base_rate_bp: 425 })
  expect((await readVersions(market.pool)).marketVersion).toBe(marketVersion + 1)
  expect(await lastEvents(1)).toEqual([['rate.changed', 'a', -25]])
  await checkHistory(market.pool)
  const before = await everything()
  expect(await take([saver('4.50'), product('b')])).toMatchObject({ changed: 0, unchanged: 2 })
  expect(await take([saver('4.60'), product('b')])).toMatchObject({ changed: 0, unchanged: 2 })
  expect(await everything()).toEqual(before)
})

test('takes uncorrected fields from the feed, and restores the feed’s values when the correction ends', async () => {
  await open()
  await correct('a', { rate: '4.25' })
  await take([saver('4.60', { access: 'By post', maxBalance: '500.00' }), product('b')])
  expect(await getRow('a')).toMatchObject({ rate_bp: 425, access: 'By post', max_balance_pence: 50_000 })
  await endProductCorrection(deps(), await corrector(), 'a')
  expect(await getRow('a')).toMatchObject({ rate_bp: 460, access: 'By post' })
  expect(await lastEvents(1)).toEqual([['rate.changed', 'a', 35]])
  await checkHistory(market.pool)
  const before = await everything()
  await take([saver('4.60', { access: 'By post', maxBalance: '500.00' }), product('b')])
  expect(await everything()).toEqual(before)
})

test('a product page shows no rate change if a correction ends on the day it began', async () => {
  const write = (direction: string, before: number | null, rate: number, day: string) =>
    market.pool.query(
      `INSERT INTO rate_change (dataset, source_key, provider_slug, account_name, account_type, direction, previous_rate_bp, previous_base_rate_bp,
         previous_boost_rate_bp, rate_bp, base_rate_bp, boost_rate_bp, effective_date, previous_effective_date, detected_at)
       SELECT 'live', 'corrected', 'harrow', 'Saver', 'easy-access', $1, $2::int, $2::int, $2::int - $2::int, $3::int, $3::int, 0, $4::date,
         CASE WHEN $2::int IS NULL THEN NULL ELSE '2026-10-26'::date END, now()`,
      [direction, before, rate, day],
    )
  await write('launched', null, 450, '2026-10-26')
  await write('up', 450, 455, '2026-11-21')
  const getRates = async () => (await pageData(market.pool, () => now).rateHistory('live', 'corrected')).steps.map(({ rateBp }) => rateBp)
  expect(await getRates()).toEqual([450, 455])
  await write('down', 455, 450, '2026-11-21')
  expect(await getRates()).toEqual([450])
})

test('a demonstration market with a correction is still a demonstration market, until a feed is imported', async () => {
  await take([provider('harrow')], { isSeed: true })
  await take([saver('4.50'), product('b')], { isSeed: true })
  await correct('a', { rate: '4.55' })
  expect((await getMorning(deps())).demonstrationAt).toBeInstanceOf(Date)
  await take([saver('4.60'), product('b')])
  expect((await getMorning(deps())).demonstrationAt).toBeNull()
})

test('a correction to one balance limit pins both, so that no feed can make them inconsistent', async () => {
  await open()
  await correct('a', { maxBalance: '1000.00' })
  await take([saver('4.50', { minBalance: '5000.00' }), product('b')])
  expect(await getRow('a')).toMatchObject({ min_balance_pence: 100, max_balance_pence: 100_000 })
})

test('keeps a product withdrawn by a correction even if the feed lists it, and restores it when the correction ends', async () => {
  await open()
  await withdraw('a')
  expect((await getRow('a')).withdrawn_at).not.toBeNull()
  expect(await lastEvents(1)).toEqual([['product.withdrawn', 'a', null]])
  const before = await everything()
  expect(await take([saver('4.50'), product('b')])).toMatchObject({ restored: 0, withdrawn: 0 })
  await take([saver('4.75')], { partial: true })
  expect(await everything()).toEqual(before)
  await endProductCorrection(deps(), await corrector(), 'a')
  expect(await getRow('a')).toMatchObject({ withdrawn_at: null, rate_bp: 475 })
  expect(await lastEvents(1)).toEqual([['product.added', 'a', null]])
  await checkHistory(market.pool)
})

test('keeps a product withdrawn after its correction ends if the feed has withdrawn it', async () => {
  await open()
  await correct('a', { rate: '4.25' })
  await take([product('b')])
  expect((await getRow('a')).withdrawn_at).not.toBeNull()
  const before = await everything()
  await endProductCorrection(deps(), await corrector(), 'a')
  expect(await everything()).toEqual(before)
  await take([saver('4.50'), product('b')])
  expect(await getRow('a')).toMatchObject({ withdrawn_at: null, rate_bp: 450 })
  await checkHistory(market.pool)
})

test('ends a correction after its last day in London', async () => {
  await open()
  await correct('a', { rate: '4.25' }, '2026-11-22')
  expect(await endDueCorrections(market.pool, Date.parse('2026-11-22T23:59:59Z'))).toBe(0)
  expect(await getRow('a')).toMatchObject({ rate_bp: 425 })
  expect(await endDueCorrections(market.pool, Date.parse('2026-11-23T00:00:00Z'))).toBe(1)
  expect(await getRow('a')).toMatchObject({ rate_bp: 450 })
  const { rows } = await market.pool.query("SELECT actor, subject FROM audit_entry WHERE action = 'product.end-correction' ORDER BY id DESC LIMIT 1")
  expect(rows).toEqual([{ actor: 'service', subject: 'a' }])
})

const getFaults = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof FieldsError ? error.faults : error),
  )

test('rejects values that would be invalid in a feed, and corrections that change nothing', async () => {
  await open()
  const before = await everything()
  expect(await getFaults(correct('a', { rate: '4,25' }))).toEqual({ rate: expect.stringContaining('Rate must be a percentage from 0 to 100') })
  expect(await getFaults(correct('a', { boostRate: '1.00' }))).toEqual({ boostDuration: 'Bonus duration is required with a bonus.' })
  expect(await getFaults(correct('a', { boostRate: '9.00' }))).toEqual({ boostRate: 'The bonus cannot be higher than the rate.' })
  expect(await getFaults(correct('a', { maxBalance: '0.50' }))).toEqual({ maxBalance: 'Maximum balance must not be less than minBalance.' })
  expect(await getFaults(correct('a', {}))).toEqual({ form: expect.stringContaining('No changes to save') })
  expect(await getFaults(correct('a', { rate: '4.25' }, '2026-11-20'))).toEqual({ until: 'The last day must be today or later.' })
  expect(await getFaults(correct('a', { rate: '4.25' }, 'soon'))).toEqual({ until: expect.stringContaining('Enter a date such as 2027-03-01') })
  expect(await everything()).toEqual(before)
  const stale = { sourceKey: 'a', seen: '2026-01-01T00:00:00+00:00', until: '' }
  expect(await getFaults(withdrawProduct(deps(), await corrector(), stale))).toEqual({ form: expect.stringContaining('has changed since') })
  await correct('a', { rate: '4.25' })
  expect(await getFaults(correct('a', { rate: '4.20' }))).toEqual({ form: 'This product already has a correction. End it first.' })
  await endProductCorrection(deps(), await corrector(), 'a')
  expect(await getFaults(endProductCorrection(deps(), await corrector(), 'a'))).toEqual({ form: 'This product has no active correction.' })
})

test('previews the changes of a correction', async () => {
  await open()
  const typed = { ...typedTerms(await getRow('b')), rate: '4.00', maxBalance: '' }
  expect((await previewCorrection(deps(), 'b', typed)).lines).toEqual([
    { label: 'Rate', from: '4.50%', to: '4.00%' },
    { label: 'Maximum balance', from: '£85,000.00', to: 'none' },
  ])
})

test('rejects corrections during an import, and ends expired ones at the next run', async () => {
  await open()
  await correct('b', { rate: '4.25' }, '2026-11-22')
  const other = await market.pool.connect()
  await other.query('BEGIN; SELECT pg_advisory_xact_lock(20261, 2)')
  const later = Date.parse('2026-11-23T00:00:00Z')
  const both = await Promise.all([getFaults(correct('a', { rate: '4.25' })), endDueCorrections(market.pool, later)])
  expect(both).toEqual([{ form: 'Another market import is running. Try again when it has finished.' }, 0])
  await other.query('ROLLBACK')
  other.release()
  expect(await endDueCorrections(market.pool, later)).toBe(1)
})
