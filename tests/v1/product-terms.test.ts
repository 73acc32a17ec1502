import { expect } from 'vitest'
import { importFeed } from '#server/market/import/import-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { type Fixture, onEachMount } from './support/fixture.ts'
import { listAll, plenty } from './support/history.ts'

type Terms = {
  sourceKey: string
  termMonths: number | null
  noticeDays: number | null
  withdrawalsPerYear: number | null
  maturityDate: string | null
  listedSince: string | null
}

const names = ['termMonths', 'noticeDays', 'withdrawalsPerYear', 'maturityDate', 'listedSince'] as const

/** Imports a bond with the given terms. */
async function take(fixture: Fixture, sourceKey: string, facts: Readonly<Record<string, unknown>>): Promise<void> {
  const [provider] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND active ORDER BY slug LIMIT 1`)
  const line = {
    ...{ kind: 'product', sourceKey, providerSlug: provider?.slug, accountName: 'Bond with terms', accountType: 'fixed-rate', rate: '4.00', baseRate: '4.00' },
    ...{ interestPaid: 'Annually', interestType: 'Fixed', access: 'Up to 2 withdrawals a year', minBalance: '1.00', termMonths: 30 },
    ...{ fscsDetails: 'An account of a test.', url: 'https://bank.example.test/savings' },
    ...facts,
  }
  await importFeed(fixture.pool, { source: `${JSON.stringify(line)}\n`, fileName: 'products.ndjson', dataset: 'live', partial: true })
}

onEachMount((fixture) => {
  verifies(['product/term-months', 'product/notice-days', 'product/withdrawals-per-year', 'product/maturity-date', 'product/listed-since'], async () => {
    const rows = (await listAll(fixture, await fixture.live(plenty), `/rates?fields=sourceKey,${names.join()}`)) as unknown as Terms[]
    const stored = await fixture.sql<Terms>(
      `SELECT p.source_key AS "sourceKey", p.term_months AS "termMonths", p.notice_days AS "noticeDays", p.withdrawals_per_year AS "withdrawalsPerYear",
         p.maturity_date::text AS "maturityDate", max(c.effective_date)::text AS "listedSince"
       FROM product p JOIN rate_change c ON c.dataset = p.dataset AND c.source_key = p.source_key AND c.direction = 'launched'
       WHERE p.dataset = 'live' AND p.withdrawn_at IS NULL GROUP BY p.dataset, p.source_key`,
    )
    const wanted = new Map(stored.map((row) => [row.sourceKey, row]))
    expect(rows.length).toBe(stored.length)
    for (const row of rows) expect(row).toEqual(wanted.get(row.sourceKey))
    // The demonstration market has known and unknown values of every field.
    for (const name of names) expect([name, rows.filter((row) => row[name] !== null).length > 30]).toEqual([name, true])
    for (const name of ['termMonths', 'noticeDays', 'withdrawalsPerYear', 'maturityDate'] as const) expect(rows.some((row) => row[name] === null)).toBe(true)
    expect(rows.some(({ withdrawalsPerYear }) => withdrawalsPerYear === 0)).toBe(true)
    expect(new Set(rows.map(({ listedSince }) => listedSince)).size).toBeGreaterThan(20)
  })

  verifies('product/maturity-date', 'returns the terms of an imported product', async () => {
    const { key } = await fixture.live()
    const sourceKey = `terms-${fixture.mount}`
    await take(fixture, sourceKey, { withdrawalsPerYear: 2, maturityDate: '2029-05-31' })
    const read = async () => (await fixture.get(`/rates/${sourceKey}`, key)).body.data
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format()
    expect(await read()).toMatchObject({ termMonths: 30, noticeDays: null, withdrawalsPerYear: 2, maturityDate: '2029-05-31', listedSince: today })
    await take(fixture, sourceKey, {})
    expect(await read()).toMatchObject({ withdrawalsPerYear: null, maturityDate: null, listedSince: today })
  })
})
