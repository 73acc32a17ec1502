import { type ChangelogEntry, changeKinds } from '#server/api/contract/changelog.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)

function toEntry({ id, publishedAt, kind, title, body }: ChangelogEntry, publicUrl: string): string {
  const page = `${publicUrl}/changelog#${id}`
  const time = publishedAt.toISOString()
  return [
    '  <entry>',
    `    <id>${escaped(page)}</id>`,
    `    <title>${escaped(title)}</title>`,
    `    <link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    `    <published>${time}</published>`,
    `    <updated>${time}</updated>`,
    `    <category term="${kind}" label="${changeKinds[kind]}"/>`,
    `    <content type="text">${escaped(body)}</content>`,
    '  </entry>',
  ].join('\n')
}

/** Returns the changelog as an Atom feed (RFC 4287), newest entry first. `now` is the update time if there are no entries. */
export function changelogFeed(entries: readonly ChangelogEntry[], publicUrl: string, now: Date): string {
  const feed = `${publicUrl}/changelog.xml`
  const updated = (entries[0]?.publishedAt ?? now).toISOString()
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">',
    `  <id>${escaped(feed)}</id>`,
    '  <title>Savings Rates Data API: changelog</title>',
    '  <author><name>Savings Rates Data API</name></author>',
    `  <link rel="self" type="application/atom+xml" href="${escaped(feed)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escaped(publicUrl)}/changelog"/>`,
    `  <updated>${updated}</updated>`,
    ...entries.map((entry) => toEntry(entry, publicUrl)),
    '</feed>',
    '',
  ].join('\n')
}
