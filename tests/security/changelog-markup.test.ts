import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture } from '../v1/support/fixture.ts'

const fixture = new Fixture('next')
beforeAll(() => fixture.open({}))
afterAll(() => fixture.close())

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">click</a>',
  '[click](javascript:alert(1))',
  '[click](JaVaScRiPt:alert(1))',
  '[click](data:text/html;base64,PHNjcmlwdD4=)',
  '[click](vbscript:alert)',
  '![picture](https://evil.example/x.png)',
  '<svg onload=alert(1)>',
  '`<script>alert(1)</script>`',
].join('\n\n')

test('escapes markup in changelog entries, and links only to web addresses', async () => {
  await fixture.sql(`INSERT INTO changelog_entry (public_id, published_at, kind, title, body) VALUES ('2026-11-23-hostile', now(), 'changed', $1, $2)`, [
    '<script>alert(1)</script>',
    hostile,
  ])
  const html = await (await fetch(`${fixture.service.origin}/changelog`)).text()
  const [, entry = ''] = /<li id="2026-11-23-hostile"[^>]*>([\s\S]*?)<\/li>/.exec(html) ?? []
  expect(entry).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(entry).not.toMatch(/<(?:script|img|svg|iframe|object)\b/i)
  expect(entry).not.toMatch(/<[^>]*\son\w+=/i)
  expect([...entry.matchAll(/href="([^"]*)"/g)].filter(([, href = '']) => !/^(?:https?:\/\/|\/|#)/.test(href))).toEqual([])
  const feed = await (await fetch(`${fixture.service.origin}/changelog.xml`)).text()
  expect(feed).toContain('2026-11-23-hostile')
  expect(feed).not.toMatch(/<(?:script|img|svg)\b/i)
})
