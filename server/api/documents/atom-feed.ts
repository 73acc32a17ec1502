import { type ChangelogEntry, changeKinds } from '#server/api/contract/changelog.ts'
import { type Incident, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'
import { productName } from '#server/api/contract/product-name.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML doesn't allow, such as most control characters. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escaped = (text: string) => text.replace(forbidden, '').replace(/[&<>"]/g, (character) => escapes[character] ?? character)

type FeedEntry = {
  /** URL of the entry, which is also its id. */
  readonly url: string
  readonly title: string
  readonly publishedAt: Date
  readonly updatedAt: Date
  readonly category: { readonly term: string; readonly label: string }
  readonly text: string
}

type Feed = {
  /** Subject in the title, such as `changelog`. */
  readonly subject: string
  /** Paths of the feed and of its page. */
  readonly feedPath: string
  readonly pagePath: string
  readonly publicUrl: string
  readonly entries: readonly FeedEntry[]
  /** Update time of a feed without entries. */
  readonly now: Date
}

const toEntry = ({ url, title, publishedAt, updatedAt, category, text }: FeedEntry): string =>
  [
    '  <entry>',
    `    <id>${escaped(url)}</id>`,
    `    <title>${escaped(title)}</title>`,
    `    <link rel="alternate" type="text/html" href="${escaped(url)}"/>`,
    `    <published>${publishedAt.toISOString()}</published>`,
    `    <updated>${updatedAt.toISOString()}</updated>`,
    `    <category term="${category.term}" label="${category.label}"/>`,
    `    <content type="text">${escaped(text)}</content>`,
    '  </entry>',
  ].join('\n')

/** Returns an Atom feed (RFC 4287). */
export function atomFeed({ subject, feedPath, pagePath, publicUrl, entries, now }: Feed): string {
  const feed = escaped(`${publicUrl}${feedPath}`)
  const updated = entries.length === 0 ? now : new Date(Math.max(...entries.map(({ updatedAt }) => updatedAt.getTime())))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB">',
    `  <id>${feed}</id>`,
    `  <title>${productName}: ${subject}</title>`,
    `  <author><name>${productName}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${feed}"/>`,
    `  <link rel="alternate" type="text/html" href="${escaped(`${publicUrl}${pagePath}`)}"/>`,
    `  <updated>${updated.toISOString()}</updated>`,
    ...entries.map(toEntry),
    '</feed>',
    '',
  ].join('\n')
}

/** Returns the changelog as an Atom feed, newest entry first. `now` is the update time if there are no entries. */
export function changelogFeed(changes: readonly ChangelogEntry[], publicUrl: string, now: Date): string {
  const entries = changes.map(({ id, publishedAt, kind, title, body }) => ({
    url: `${publicUrl}/changelog#${id}`,
    title,
    publishedAt,
    updatedAt: publishedAt,
    category: { term: kind, label: changeKinds[kind] },
    text: body,
  }))
  return atomFeed({ subject: 'changelog', feedPath: '/changelog.xml', pagePath: '/changelog', publicUrl, entries, now })
}

/** Returns the incidents as an Atom feed, newest first. Each entry has all updates, newest first. `now` is the update time if there are none. */
export function incidentFeed(incidents: readonly Incident[], publicUrl: string, now: Date): string {
  const entries = incidents.map(({ id, title, impact, startedAt, updates }) => ({
    url: `${publicUrl}/status#${id}`,
    title,
    publishedAt: updates.at(-1)?.at ?? startedAt,
    updatedAt: updates[0]?.at ?? startedAt,
    category: { term: impact, label: incidentImpacts[impact].label },
    text: updates.map(({ state, body, at }) => `${incidentStates[state]}, ${at.toUTCString()}\n${body}`).join('\n\n'),
  }))
  return atomFeed({ subject: 'incidents', feedPath: '/status.xml', pagePath: '/status', publicUrl, entries, now })
}
