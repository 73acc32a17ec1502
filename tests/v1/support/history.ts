import { expect } from 'vitest'
import { type Feed, importFeed } from '#server/market/import/import-feed.ts'
import type { Caller, Fixture } from './fixture.ts'

/** Row of any history list. */
export type Row = Record<string, string | number | null> & { id: string; sourceKey: string; effectiveDate: string }

/** Options for an account that has enough credits to page through any list. */
export const plenty = { credits: 1_000_000, perMinute: 100_000, perDay: 1_000_000 }

/** Fetches all rows of a list page by page, and runs `between` after each page except the last. */
export async function listAll(
  fixture: Fixture,
  caller: Caller,
  path: string,
  limit = 50,
  between: (page: number) => Promise<void> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1, cursor: string | null = ''; cursor !== null; page++) {
    const separator = path.includes('?') ? '&' : '?'
    const answer = await fixture.get(`${path}${separator}limit=${limit}${cursor && `&cursor=${cursor}`}`, caller.key)
    expect(answer.status, answer.text).toBe(200)
    rows.push(...answer.body.data)
    cursor = answer.body.meta.nextCursor
    if (cursor !== null) await between(page)
  }
  return rows
}

export const getIds = (rows: readonly Row[]) => rows.map(({ id }) => id)

/** Formats basis points as in the API. */
export const percent = (bp: number) => `${Math.floor(bp / 100)}.${String(bp % 100).padStart(2, '0')}`

/** Returns a feed that adds or changes one product. `terms` replaces some of its fields. */
export async function productFeed(fixture: Fixture, sourceKey: string, rate: string, type = 'notice', terms: object = {}): Promise<Feed> {
  const [provider] = await fixture.sql<{ slug: string }>(`SELECT slug FROM provider WHERE dataset = 'live' AND active ORDER BY slug LIMIT 1`)
  const line = {
    kind: 'product',
    sourceKey,
    providerSlug: provider?.slug,
    accountName: `${sourceKey} account`,
    accountType: type,
    rate,
    baseRate: rate,
    interestPaid: 'Annually',
    interestType: 'Variable',
    access: 'Online',
    minBalance: '1.00',
    noticeDays: 30,
    fscsDetails: 'An account of a test.',
    url: 'https://bank.example.test/savings',
    ...terms,
  }
  return { source: `${JSON.stringify(line)}\n`, fileName: 'products.ndjson', dataset: 'live', partial: true }
}

/** Imports an additional product with a rate, as an operator would. */
export async function list(fixture: Fixture, sourceKey: string, rate: string, type?: string): Promise<void> {
  await importFeed(fixture.pool, await productFeed(fixture, sourceKey, rate, type))
}
