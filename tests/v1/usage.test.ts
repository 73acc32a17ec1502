import { expect, test, vi } from 'vitest'
import { isoDay } from '#server/api/contract/dates.ts'
import type { UsageRow } from '#server/api/contract/own-account.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { listUsage } from '#server/api/endpoints/account/list-usage.endpoint.ts'
import { exportUsage } from '#server/metering/usage-export.ts'
import { usageReport } from '#server/metering/usage-report.ts'
import { verifies } from '../requirements/verifies.ts'
import { getFaults } from './support/declared-shape.ts'
import { expectError } from './support/expect-error.ts'
import { type ApiAnswer, type Caller, onEachMount } from './support/fixture.ts'

/** Usage figures lag by a second or two. */
const lag = { timeout: 6_000, interval: 100 }

const manage = { scopes: ['rates:read', 'account:manage'] as const }

onEachMount((fixture) => {
  const rowsOf = async (key: string, query = ''): Promise<UsageRow[]> => (await fixture.get(`/usage?limit=50${query}`, key)).body.data

  /** Adds usage of earlier days, as the roll-up does. */
  async function addUsage({ account, keyId }: Caller, daysAgo: number, endpoint: number, status: number, calls: number, credits: number): Promise<void> {
    await fixture.sql(
      `INSERT INTO usage_day (account_id, day, key_id, endpoint, status, requests, credits)
       SELECT $1, (now() AT TIME ZONE 'UTC')::date - $3::int, id, $4, $5, $6, $7 FROM api_key WHERE public_id = $2`,
      [account.id, keyId, daysAgo, endpoint, status, calls, credits],
    )
  }

  /** Reads all pages with five rows each. */
  async function readPages(key: string, query: string): Promise<UsageRow[]> {
    const rows: UsageRow[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: ApiAnswer = await fixture.get(`/usage?limit=5${query}${cursor && `&cursor=${cursor}`}`, key)
      rows.push(...body.data)
      cursor = body.meta.nextCursor
    }
    return rows
  }

  const dayBefore = (days: number) => isoDay(Date.now() - days * 86_400_000)

  verifies('account/usage-of-own-key', async () => {
    const caller = await fixture.live({ credits: 20 })
    const other = await fixture.getKey(caller.account, { name: 'Other' })
    await fixture.get('/rates?limit=3', caller.key)
    await fixture.get('/nonsense', caller.key)
    await fixture.get('/rates?limit=1', other.key)
    const common = { day: isoDay(Date.now()), key: caller.keyId, keyName: '', mode: 'live' }
    await vi.waitFor(async () => {
      const rows = await rowsOf(caller.key)
      expect(rows.filter(({ endpoint }) => endpoint !== 'GET /usage')).toEqual([
        { ...common, endpoint: 'Unknown path', status: 404, calls: 1, credits: 0 },
        { ...common, endpoint: 'GET /rates', status: 200, calls: 1, credits: 3 },
      ])
      expect(rows.flatMap((row) => getFaults(row, listUsage.output))).toEqual([])
    }, lag)
    // The call is free and returns nothing about other keys.
    expect(await fixture.balance(caller.account)).toBe(16)
    expectError(await fixture.get(`/usage?key=${other.keyId}`, caller.key), 403, 'insufficient_scope', { required: 'account:manage' })
    expect((await fixture.get(`/usage?key=${caller.keyId}`, caller.key)).status).toBe(200)
  })

  verifies('account/usage-of-every-key', async () => {
    const caller = await fixture.live({}, manage)
    const [other, outsider] = [await fixture.getKey(caller.account, { name: 'Other', mode: 'test' }), await fixture.live()]
    await addUsage(caller, 2, 9, 200, 5, 5)
    await addUsage(other, 2, 9, 200, 7, 0)
    await addUsage(outsider, 2, 9, 200, 9, 9)
    const rows = (await rowsOf(caller.key)).filter(({ day }) => day === dayBefore(2))
    expect(rows.map(({ key, keyName, mode, calls, credits }) => [key, keyName, mode, calls, credits])).toEqual([
      [caller.keyId, '', 'live', 5, 5],
      [other.keyId, 'Other', 'test', 7, 0],
    ])
    expect((await rowsOf(caller.key, `&key=${other.keyId}`)).map(({ calls }) => calls)).toEqual([7])
    // Another account's key looks like one that doesn't exist.
    for (const key of [outsider.keyId, 'key_doesnotexist00']) expectError(await fixture.get(`/usage?key=${key}`, caller.key), 404, 'not_found')
  })

  verifies('account/usage-equals-portal', async () => {
    const caller = await fixture.live({}, manage)
    for (const [daysAgo, endpoint, status, calls, credits] of [
      [40, 9, 200, 3, 3],
      [3, 9, 200, 4, 40],
      [3, 9, 402, 2, 0],
      [1, 12, 500, 1, 0],
    ] as const)
      await addUsage(caller, daysAgo, endpoint, status, calls, credits)
    const range = { from: dayBefore(40), to: dayBefore(1) }
    const rows = await rowsOf(caller.key, `&from=${range.from}&to=${range.to}`)
    const filter = { endpoint: null, key: null, status: null }
    const report = await usageReport(fixture.pool, caller.account.id, { ...range, ...filter, grain: 'day', by: 'endpoint' }, operations)
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    expect([sum(rows.map(({ calls }) => calls)), sum(rows.map(({ credits }) => credits))]).toEqual([report.totals.calls, report.totals.credits])
    let csv = ''
    for await (const chunk of await exportUsage(fixture.pool, caller.account.id, { ...range, ...filter }, operations)) csv += chunk
    const lines = csv.trim().split(/\r?\n/)
    expect(
      rows.map(({ day, endpoint, key, keyName, mode, status, calls, credits }) => [day, endpoint, key, keyName, mode, status, calls, credits].join()),
    ).toEqual(lines.slice(1))
    // The default is the last 30 days.
    expect((await rowsOf(caller.key)).some(({ day }) => day === dayBefore(40))).toBe(false)
  })

  verifies('account/usage-paginated', async () => {
    const caller = await fixture.live({}, manage)
    const other = await fixture.getKey(caller.account)
    for (let day = 1; day <= 3; day++) for (const owner of [caller, other]) for (const status of [200, 404]) await addUsage(owner, day, 9, status, day, 0)
    const range = `&to=${dayBefore(1)}`
    const whole = await rowsOf(caller.key, range)
    expect(whole).toHaveLength(12)
    expect(await readPages(caller.key, range)).toEqual(whole)
    const { body, headers } = await fixture.get(`/usage?limit=1&fields=day,calls${range}`, caller.key)
    expect(body.data).toEqual([{ day: dayBefore(3), calls: 3 }])
    const again = await fixture.get(`/usage?limit=1&fields=day,calls${range}`, caller.key, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    const csv = await fixture.get(`/usage?limit=1&fields=day,calls${range}`, caller.key, { accept: 'text/csv' })
    expect(csv.text.trim().split(/\r?\n/)).toEqual(['day,calls', `${dayBefore(3)},3`])
    // A cursor works only with the query that returned it.
    const cursor = body.meta.nextCursor
    expectError(await fixture.get(`/usage?cursor=${cursor}`, caller.key), 400, 'invalid_request')
  })

  test('rejects invalid and long ranges', async () => {
    const { key } = await fixture.test()
    for (const query of ['from=2026-02-30', 'from=2026-11-02&to=2026-11-01', 'from=2026-01-01&to=2026-06-01', 'key=', 'form=2026-01-01'])
      expectError(await fixture.get(`/usage?${query}`, key), 400, 'invalid_request')
  })

  test('works with every key, and is listed in /me', async () => {
    const { key } = await fixture.live({}, { scopes: ['cards:read'] })
    expect((await fixture.get('/usage', key)).status).toBe(200)
    const { endpoints } = (await fixture.get('/me', key)).body.data
    expect(endpoints.find(({ path }: { path: string }) => path === '/usage')).toMatchObject({ method: 'GET', scope: 'any-key', cost: 'free', callable: true })
  })
})
