import { type ChangelogEntry, changeKinds } from '#server/api/contract/changelog.ts'
import { atomFeed } from './atom-feed.ts'

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
