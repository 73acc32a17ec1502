'use client'

import type { ReactNode } from 'react'
import { useTimeZone } from '#components/data/time.tsx'
import { type ShownUsage, UsageBars } from './usage-charts.tsx'

type SectionProps = { id: string; title: string; note?: string | null; more: { href: string; name: string }; children: ReactNode }

function Section({ id, title, note = null, more, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id={id} className="text-h2 font-semibold">
            {title}
          </h2>
          {note === null ? null : <p className="text-note text-ink-2 max-sm:hidden">{note}</p>}
        </div>
        <a className="prose-link" href={more.href}>
          {more.name}
        </a>
      </div>
      {children}
    </section>
  )
}

/** Bar chart of credits for the last 24 hours or 14 days, or of calls if none were charged. */
export function RecentUsage({ usage }: { usage: ShownUsage }) {
  const zone = useTimeZone()
  const show = usage.totals.credits > 0 ? 'credits' : 'calls'
  const range = `last ${usage.periods.length} ${usage.grain}s`
  const href = `/portal/usage?${new URLSearchParams({ days: usage.grain === 'hour' ? '1' : '30', show })}`
  return (
    <Section
      id="usage"
      title={`${show === 'credits' ? 'Credits' : 'Calls'}, ${range}`}
      note={usage.grain === 'day' ? 'Days are in UTC.' : null}
      more={{ href, name: 'All usage' }}
    >
      {usage.totals.calls === 0 ? <p className="py-3">No calls in the {range}.</p> : <UsageBars usage={usage} show={show} timeZone={zone} />}
    </Section>
  )
}

export function RecentRequests({ children }: { children: ReactNode }) {
  return (
    <Section id="requests" title="Recent requests" more={{ href: '/portal/requests', name: 'All requests' }}>
      {children}
    </Section>
  )
}
