/**
 * Checks the rows returned by every endpoint in the registry against the declared schema, for a test key and a live one. New endpoints are covered
 * automatically. The market has rows of every kind, with and without optional values.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { getFaults } from './support/declared-shape.ts'
import { type ApiAnswer, type Caller, onEachMount } from './support/fixture.ts'
import { keyChanged } from './support/operator.ts'
import { type Dataset, type Entry, getTarget, isLaunched } from './support/target.ts'

const plenty = { credits: 10_000_000, perMinute: 1_000_000, perDay: 10_000_000 }

/** Pages to check per live list: 150 rows in total. */
const livePages = 3

/** Number of live items to check. All sample items are checked. */
const liveKeys = 25

const tables: Record<string, { table: string; column: string }> = {
  '/cards/{sourceKey}': { table: 'card', column: 'source_key' },
  // Withdrawn products respond with 404.
  '{sourceKey}': { table: '(SELECT * FROM product WHERE withdrawn_at IS NULL) product', column: 'source_key' },
  '{slug}': { table: 'provider', column: 'slug' },
}

onEachMount((fixture) => {
  let owner: Caller
  let hobby: Caller
  let tester: Caller

  beforeAll(async () => {
    owner = await fixture.live(plenty)
    hobby = await fixture.live({ ...plenty, plan: 'hobby' })
    tester = await fixture.getKey(owner.account, { mode: 'test' })
    await fixture.sql('UPDATE key_meter m SET own_minute_limit = 1000000 FROM api_key k WHERE k.id = m.key_id AND k.public_id = $1', [tester.keyId])
    await keyChanged(fixture, tester.keyId)
  })

  /** Returns the paths that result from filling the template with each available key. */
  async function getPaths(entry: Entry, dataset: Dataset): Promise<string[]> {
    const [template, query] = (await getTarget(fixture, entry, dataset)).split('?')
    const named = Object.keys(tables).find((part) => entry.path.includes(part))
    if (named === undefined) {
      expect(entry.path).not.toContain('{')
      return [`${template}${query === undefined ? '' : `?${query}`}`]
    }
    const { table, column } = tables[named] ?? { table: '', column: '' }
    const keys = await fixture.sql<{ key: string }>(`SELECT ${column} AS key FROM ${table} WHERE dataset = $1 ORDER BY md5(${column}) LIMIT $2`, [
      dataset,
      dataset === 'sample' ? 1_000 : liveKeys,
    ])
    return keys.map(({ key }) => `${entry.path.replace(/\{\w+\}/, encodeURIComponent(key))}${query === undefined ? '' : `?${query}`}`)
  }

  /** Returns the schema violations of a response, by row. A 404 for a missing logo is not a violation. */
  function faultsIn(entry: Entry, path: string, { status, body }: ApiAnswer): string[] {
    if (status === 404 && entry.path === '/assets/providers/{slug}') return []
    if (status !== 200) return [`${path}: ${status} ${body.message}`]
    const rows: unknown[] = Array.isArray(body.data) ? body.data : [body.data]
    return rows.flatMap((row) => getFaults(row, entry.output).map((fault) => `${path}: ${fault}`))
  }

  async function faultsOfList(entry: Entry, path: string, key: string, pages: number): Promise<string[]> {
    const faults: string[] = []
    let cursor: string | null = ''
    for (let page = 0; page < pages && cursor !== null; page++) {
      const answer: ApiAnswer = await fixture.get(`${path}${path.includes('?') ? '&' : '?'}limit=50${cursor && `&cursor=${cursor}`}`, key)
      faults.push(...faultsIn(entry, path, answer))
      cursor = answer.body.meta?.nextCursor ?? null
    }
    return faults
  }

  async function faultsFor(entry: Entry, dataset: Dataset, key: string): Promise<string[]> {
    const faults: string[] = []
    for (const path of await getPaths(entry, dataset)) {
      if (entry.kind === 'list') faults.push(...(await faultsOfList(entry, path, key, dataset === 'sample' ? 20 : livePages)))
      else faults.push(...faultsIn(entry, path, await fixture.get(path, key)))
    }
    return faults
  }

  const launched = registry.filter(isLaunched).map((entry) => [`${entry.method} ${entry.path}`, entry] as const)

  describe.each(launched)('%s', (_name, entry) => {
    test('matches the declared schema with a test key', { timeout: 60_000 }, async () => {
      expect(await faultsFor(entry, 'sample', tester.key)).toEqual([])
    })
  })

  describe.each(launched.filter(([, { live }]) => live === 'open'))('%s', (_name, entry) => {
    test('matches the declared schema with live keys on the highest plan and, if allowed, the lowest', { timeout: 60_000 }, async () => {
      expect(await faultsFor(entry, 'live', owner.key)).toEqual([])
      if (entry.plan === undefined) expect(await faultsFor(entry, 'live', hobby.key)).toEqual([])
    })
  })
})
