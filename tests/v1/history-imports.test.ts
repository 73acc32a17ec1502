import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { onEachMount } from './support/fixture.ts'
import { getIds, list, listAll, percent, plenty, type Row } from './support/history.ts'

/** Runs the cases one after another, so that the changes made by one don't affect the others. */
async function each<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await run(item))
  return results
}

onEachMount((fixture) => {
  verifies('market/history-cursors-hold', async () => {
    const caller = await fixture.live(plenty)
    const rates = '/rates?type=notice'
    const dated = ['/history?type=notice&from=2026-06-01', '/history/components?type=notice&from=2026-06-01']
    const before = { rates: await listAll(fixture, caller, rates), dated: await each(dated, (path) => listAll(fixture, caller, path)) }
    let rate = 100
    // Between pages, adds a product at a varying position, or moves one that was added earlier.
    const change = async (page: number) => {
      rate = (rate * 7919) % 997
      await list(fixture, `cursor-${fixture.mount}-${page % 4}`, percent(100 + rate))
    }
    const during = { rates: await listAll(fixture, caller, rates, 20, change), dated: await each(dated, (path) => listAll(fixture, caller, path, 20, change)) }
    const isOurs = ({ sourceKey }: Row) => sourceKey.startsWith('cursor-')
    const rest = (rows: readonly Row[]) => rows.filter((row) => !isOurs(row))
    expect(rest(during.rates).map(({ sourceKey }) => sourceKey)).toEqual(rest(before.rates).map(({ sourceKey }) => sourceKey))
    for (const [index, path] of dated.entries()) {
      const rows = during.dated[index] ?? []
      expect([path, getIds(rest(rows))]).toEqual([path, getIds(rest(before.dated[index] ?? []))])
      expect([path, new Set(getIds(rows)).size]).toEqual([path, rows.length])
      const after = getIds(await listAll(fixture, caller, path))
      // Rows added during paging are newer than the cursor, so the result is a contiguous part of the current list.
      expect([path, after.slice(-rows.length)]).toEqual([path, getIds(rows)])
    }
  })

  verifies('market/history-follows-import', async () => {
    const { key } = await fixture.live(plenty)
    const fresh = `fresh-${fixture.mount}`
    await list(fixture, fresh, '3.00')
    const paths = [`/history?sourceKey=${fresh}`, `/history/components?sourceKey=${fresh}`, '/history?limit=5', `/rates/${fresh}`]
    for (const rate of ['3.10', '2.95', '3.40']) {
      const before = await Promise.all(paths.map((path) => fixture.get(path, key)))
      const again = await Promise.all(paths.map((path, index) => fixture.get(path, key, { 'if-none-match': before[index]?.headers.get('etag') ?? '' })))
      expect(again.map(({ status }) => status)).toEqual(paths.map(() => 304))
      await list(fixture, fresh, rate)
      const after = await Promise.all(paths.map((path, index) => fixture.get(path, key, { 'if-none-match': before[index]?.headers.get('etag') ?? '' })))
      expect(after.map(({ status }) => status)).toEqual(paths.map(() => 200))
      const [rows, components, newest, product] = after.map(({ body }) => body.data)
      expect(rows[0]).toMatchObject({ newRate: rate, previousRate: before[0]?.body.data[0].newRate })
      expect(components.slice(0, 2)).toMatchObject([{ rate, effectiveTo: null }, { effectiveTo: components[0].effectiveFrom }])
      expect(newest[0].id).toBe(rows[0].id)
      expect(product.rate).toBe(rate)
    }
  })
})
