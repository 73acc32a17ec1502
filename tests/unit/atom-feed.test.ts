import { expect, test } from 'vitest'
import { atomFeed } from '#server/api/documents/atom-feed.ts'

test('omits characters that XML does not allow', () => {
  const at = new Date('2026-01-01T00:00:00Z')
  const entry = {
    url: 'https://example.test/a',
    title: 'a\u0008b\u{1F600}',
    publishedAt: at,
    updatedAt: at,
    category: { term: 't', label: 'T' },
    text: 'c\uD800d\ne',
  }
  const feed = atomFeed({ subject: 'changelog', feedPath: '/f', pagePath: '/p', publicUrl: 'https://example.test', entries: [entry], now: at })
  expect(feed).toContain('<title>ab\u{1F600}</title>')
  expect(feed).toContain('<content type="text">cd\ne</content>')
})
