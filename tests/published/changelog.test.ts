import { expect, test } from 'vitest'
import { registry } from '../../server/endpoints/registry.ts'
import { changelogFeed } from '../../server/publish/changelog-feed.ts'
import { verifies } from '../requirements/verifies.ts'
import { onEachMount } from '../v1/support/stage.ts'

const feed = '/changelog.xml'

type Row = { public_id: string; title: string; body: string; kind: string; endpoint_ids: string[]; published_at: Date }

onEachMount((stage) => {
  const rows = () => stage.sql<Row>('SELECT * FROM changelog_entry ORDER BY published_at DESC, id DESC')

  test('the entries that come with a release name endpoints that exist', async () => {
    const known = registry.map(({ id }) => id)
    const entries = await rows()
    expect(entries.length).toBeGreaterThanOrEqual(4)
    for (const { public_id, endpoint_ids } of entries) expect([public_id, endpoint_ids.filter((id) => !known.includes(id))]).toEqual([public_id, []])
  })

  if (stage.mount === 'next') {
    verifies(['published/changelog', 'versioning/changes-in-changelog'], 'page and feed show every published entry, newest first', async () => {
      const entries = await rows()
      const atom = await stage.raw('GET', feed)
      expect([atom.status, atom.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
      const page = await stage.raw('GET', '/changelog')
      expect(page.status).toBe(200)
      const ids = [...atom.text.matchAll(/<id>https:\/\/api\.example\.test\/changelog#([^<]+)<\/id>/g)].map(([, id]) => id)
      expect(ids).toEqual(entries.map(({ public_id }) => public_id))
      for (const { public_id, title } of entries) {
        expect(page.text).toContain(`id="${public_id}"`)
        expect(page.text).toContain(title)
      }
    })

    test('a change is announced with its row, and one that is dated ahead is not shown yet', async () => {
      const insert = `INSERT INTO changelog_entry (public_id, published_at, kind, title, body) VALUES ($1, now() + make_interval(hours => $2), 'changed', $3, $4)`
      await stage.sql(insert, ['test-now', 0, 'Rates & <bonuses>', 'Text with `code`, "quotes" & <marks>.'])
      await stage.sql(insert, ['test-later', 1, 'Not yet', 'A draft.'])
      try {
        const [atom, page] = [await stage.raw('GET', feed), await stage.raw('GET', '/changelog')]
        expect(atom.text).toContain('<title>Rates &amp; &lt;bonuses&gt;</title>')
        expect(atom.text).toContain('Text with `code`, &quot;quotes&quot; &amp; &lt;marks&gt;.')
        expect(page.text).toContain('Rates &amp; &lt;bonuses&gt;')
        for (const { text } of [atom, page]) expect(text).not.toContain('Not yet')
      } finally {
        await stage.sql(`DELETE FROM changelog_entry WHERE public_id LIKE 'test-%'`)
      }
    })
  }
})

test('an empty changelog is a feed all the same', () => {
  const text = changelogFeed([], 'https://api.example.test', new Date('2026-11-21T10:00:00Z'))
  expect(text).toContain('<updated>2026-11-21T10:00:00.000Z</updated>')
  expect(text).not.toContain('<entry>')
})
