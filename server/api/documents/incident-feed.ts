import { type Incident, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'
import { atomFeed } from './atom-feed.ts'

/** Returns the incidents as an Atom feed, newest first. Each entry has all updates of its incident, newest first. `now` is used if there are no incidents. */
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
