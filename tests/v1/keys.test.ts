import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { endPool, watched } from '../support/own-database.ts'
import { type ApiAnswer, onEachMount } from './support/stage.ts'
import { isLaunched, targetOf } from './support/target.ts'

/** Returns the type of each field over all rows; a field that is null in one row has its type in another. */
function typesOf(rows: readonly object[]): Map<string, string> {
  const types = new Map<string, string>()
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    if (type !== 'null' || !types.has(name)) types.set(name, type)
  }
  return types
}

const rowsOf = ({ body }: ApiAnswer): object[] => (Array.isArray(body.data) ? body.data : [body.data])

/** Expects all rows of a list to have the same fields. */
const namesOf = (answer: ApiAnswer) => new Set(rowsOf(answer).map((row) => Object.keys(row).join()))

onEachMount((stage) => {
  verifies('keys/test-shape-equals-live', async () => {
    const live = await stage.live({ credits: 10_000 })
    for (const entry of registry.filter((one) => isLaunched(one) && one.live === 'open')) {
      // One test key per call, because ten calls a minute are not enough.
      const test = await stage.keyOf(live.account, { mode: 'test' })
      const more = entry.kind === 'list' ? 'limit=50' : ''
      const a = await stage.get(await targetOf(stage, entry, 'live', more), live.key)
      const b = await stage.get(await targetOf(stage, entry, 'sample', more), test.key)
      const { path } = entry
      expect([path, a.status, b.status]).toEqual([path, 200, 200])
      expect(namesOf(b), path).toEqual(namesOf(a))
      expect(namesOf(a).size, path).toBe(1)
      expect(Object.keys(b.body.meta), path).toEqual(Object.keys(a.body.meta))
      // A field that is null in every row of one list has no known type there.
      const types = typesOf(rowsOf(a))
      for (const [name, type] of typesOf(rowsOf(b))) expect(['null', types.get(name) === 'null' ? type : types.get(name)], `${path} ${name}`).toContain(type)
    }
  })

  verifies(['keys/test-sample-data', 'keys/live-real-data'], async () => {
    const { key, account } = await stage.live({ credits: 1_000 })
    const test = await stage.keyOf(account, { mode: 'test' })
    const sample = (await stage.get('/rates?limit=50', test.key)).body
    expect([sample.data.length, sample.meta.nextCursor]).toEqual([40, null])
    const stored = async (dataset: string) => {
      const rows = await stage.sql<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1', [dataset])
      return new Set(rows.map(({ slug }) => slug))
    }
    const [liveSlugs, sampleSlugs] = [await stored('live'), await stored('sample')]
    expect([...liveSlugs].filter((slug) => sampleSlugs.has(slug))).toEqual([])
    for (const row of sample.data) expect(sampleSlugs.has(row.providerSlug)).toBe(true)
    for (const row of (await stage.get('/rates?limit=50', key)).body.data) expect(liveSlugs.has(row.providerSlug)).toBe(true)
    for (const name of ['providers', 'products', 'cards']) {
      const slugs = async (one: string) =>
        (await stage.get(`/reference/${name}`, one)).body.data.map((row: { slug?: string; providerSlug?: string | null }) => row.slug ?? row.providerSlug)
      expect(
        (await slugs(test.key)).filter((slug: string | null) => slug !== null && !sampleSlugs.has(slug)),
        name,
      ).toEqual([])
      expect(
        (await slugs(key)).filter((slug: string | null) => slug !== null && !liveSlugs.has(slug)),
        name,
      ).toEqual([])
    }
  })

  test('a key revoked while the database clock is ahead stays revoked when the clock is set back', async () => {
    const { key, keyId } = await stage.live({ credits: 10 })
    expect((await stage.get('/ping', key)).status).toBe(200)
    await stage.sql('CREATE SCHEMA IF NOT EXISTS ahead')
    await stage.sql(`CREATE OR REPLACE FUNCTION ahead.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.now() + interval '4 minutes' $$`)
    const ahead = watched(new Pool({ connectionString: stage.databaseUrl, max: 1, options: '-c search_path=ahead,pg_catalog,public' }))
    await revokeKey(ahead, keyId)
    await endPool(ahead)
    await stage.sql('DROP SCHEMA ahead CASCADE')
    const [row] = await stage.sql<{ later: boolean }>('SELECT revoked_at > now() AS later FROM api_key WHERE public_id = $1', [keyId])
    expect(row).toEqual({ later: true })
    const { status, body } = await stage.get('/ping', key)
    expect([status, body.error]).toEqual([403, 'key_revoked'])
  })
})
