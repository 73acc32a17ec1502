import { expect, test } from 'vitest'
import { registry } from '#server/api/endpoints/registry.ts'
import { clock } from '#server/clock.ts'
import { revokeKey } from '#server/keys/keys.ts'
import { verifies } from '../requirements/verifies.ts'
import { type ApiAnswer, onEachMount } from './support/fixture.ts'
import { getTarget, isLaunched } from './support/target.ts'

/** Returns the type of each field. If a field is null in some rows, its type is read from the others. */
function getTypes(rows: readonly object[]): Map<string, string> {
  const types = new Map<string, string>()
  for (const [name, value] of rows.flatMap((row) => Object.entries(row))) {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    if (type !== 'null' || !types.has(name)) types.set(name, type)
  }
  return types
}

const getRows = ({ body }: ApiAnswer): object[] => (Array.isArray(body.data) ? body.data : [body.data])

/** Returns each distinct list of fields among the rows. A single entry means that all rows have the same fields. */
const getNames = (answer: ApiAnswer) => new Set(getRows(answer).map((row) => Object.keys(row).join()))

onEachMount((fixture) => {
  verifies('keys/test-shape-equals-live', async () => {
    const live = await fixture.live({ credits: 10_000 })
    for (const entry of registry.filter((one) => isLaunched(one) && one.live === 'open')) {
      // One test key per call, because ten calls a minute are not enough.
      const test = await fixture.getKey(live.account, { mode: 'test' })
      const more = entry.kind === 'list' ? 'limit=50' : ''
      const a = await fixture.get(await getTarget(fixture, entry, 'live', more), live.key)
      const b = await fixture.get(await getTarget(fixture, entry, 'sample', more), test.key)
      const { path } = entry
      expect([path, a.status, b.status]).toEqual([path, 200, 200])
      expect(getNames(b), path).toEqual(getNames(a))
      expect(getNames(a).size, path).toBe(1)
      expect(Object.keys(b.body.meta), path).toEqual(Object.keys(a.body.meta))
      // If a field is null in every row of a list, its type in that list is unknown.
      const types = getTypes(getRows(a))
      for (const [name, type] of getTypes(getRows(b))) expect(['null', types.get(name) === 'null' ? type : types.get(name)], `${path} ${name}`).toContain(type)
    }
  })

  verifies(['keys/test-sample-data', 'keys/live-real-data'], async () => {
    const { key, account } = await fixture.live({ credits: 1_000 })
    const test = await fixture.getKey(account, { mode: 'test' })
    const sample = (await fixture.get('/rates?limit=50', test.key)).body
    expect([sample.data.length, sample.meta.nextCursor]).toEqual([40, null])
    const stored = async (dataset: string) => {
      const rows = await fixture.sql<{ slug: string }>('SELECT slug FROM provider WHERE dataset = $1', [dataset])
      return new Set(rows.map(({ slug }) => slug))
    }
    const [liveSlugs, sampleSlugs] = [await stored('live'), await stored('sample')]
    expect([...liveSlugs].filter((slug) => sampleSlugs.has(slug))).toEqual([])
    for (const row of sample.data) expect(sampleSlugs.has(row.providerSlug)).toBe(true)
    for (const row of (await fixture.get('/rates?limit=50', key)).body.data) expect(liveSlugs.has(row.providerSlug)).toBe(true)
    for (const name of ['providers', 'products', 'cards']) {
      const slugs = async (one: string) =>
        (await fixture.get(`/reference/${name}`, one)).body.data.map((row: { slug?: string; providerSlug?: string | null }) => row.slug ?? row.providerSlug)
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

  test('a key revoked while the clock is ahead stays revoked after the clock is set back', async () => {
    const { key, keyId } = await fixture.live({ credits: 10 })
    expect((await fixture.get('/ping', key)).status).toBe(200)
    const realNow = clock.now
    clock.now = () => realNow() + 240_000
    await revokeKey(fixture.pool, keyId).finally(() => {
      clock.now = realNow
    })
    const [row] = await fixture.sql<{ later: boolean }>('SELECT revoked_at > now() AS later FROM api_key WHERE public_id = $1', [keyId])
    expect(row).toEqual({ later: true })
    const { status, body } = await fixture.get('/ping', key)
    expect([status, body.error]).toEqual([403, 'key_revoked'])
  })
})
