import { Tag, type Tone } from '#components/ui/tag.tsx'
import { type Incident, type IncidentImpact, incidentImpacts, incidentStates } from '#server/api/contract/incidents.ts'
import { DateTime } from './formats.tsx'

const tones = { outage: 'danger', degraded: 'caution', delayed: 'caution', maintenance: 'plain' } as const satisfies Record<IncidentImpact, Tone>

/** Updates of an incident, newest first. */
export function IncidentUpdates({ updates }: Pick<Incident, 'updates'>) {
  return (
    <ol className="mt-3 border-l-2 border-line pl-4">
      {updates.map(({ state, body, at }) => (
        <li key={at.toISOString()} className="py-2">
          <p className="flex flex-wrap items-baseline gap-x-3 text-note text-ink-2">
            <strong className="font-semibold text-ink">{incidentStates[state]}</strong>
            <DateTime at={at.toISOString()} />
          </p>
          <p className="mt-0.5 max-w-[68ch] wrap-anywhere whitespace-pre-line">{body}</p>
        </li>
      ))}
    </ol>
  )
}

/** Incident with its impact, times and updates. Its id is an anchor that the feed links to. */
export function IncidentCard({ incident, headingLevel = 3 }: { incident: Incident; headingLevel?: 2 | 3 }) {
  const { id, title, impact, startedAt, resolvedAt, updates } = incident
  const Heading = `h${headingLevel}` as const
  return (
    <article id={id} aria-labelledby={`title-${id}`} className="scroll-mt-4 border-b border-line py-4 last:border-b-0">
      <Heading id={`title-${id}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-h2 font-semibold">
        <span className="min-w-0 wrap-anywhere">{title}</span>
        <Tag tone={resolvedAt === null ? tones[impact] : 'good'}>{resolvedAt === null ? incidentImpacts[impact].label : 'Resolved'}</Tag>
      </Heading>
      <p className="mt-1 text-note text-ink-2">
        Began on <DateTime at={startedAt.toISOString()} />
        {resolvedAt === null ? null : (
          <>
            , resolved on <DateTime at={resolvedAt.toISOString()} />
          </>
        )}
        .
      </p>
      <IncidentUpdates updates={updates} />
    </article>
  )
}
