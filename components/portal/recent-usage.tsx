import type { ReactNode } from 'react'
import type { ShownUsage } from './usage.tsx'
import { UsageBars } from './usage-bars.tsx'

function Section({ id, title, more, children }: { id: string; title: string; more: { href: string; name: string }; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="text-h2 font-semibold">
          {title}
        </h2>
        <a className="prose-link" href={more.href}>
          {more.name}
        </a>
      </div>
      {children}
    </section>
  )
}

/** Bar chart of recent days: credits, or calls if none of them were charged. */
export function RecentUsage({ usage, today }: { usage: ShownUsage; today: string }) {
  const show = usage.totals.credits > 0 ? 'credits' : 'calls'
  const count = usage.days.length
  return (
    <Section id="usage" title={`${show === 'credits' ? 'Credits' : 'Calls'}, last ${count} days`} more={{ href: '/portal/usage', name: 'All usage' }}>
      {usage.totals.calls === 0 ? (
        <p className="py-3">No calls in the last {count} days.</p>
      ) : (
        <>
          <UsageBars days={usage.days} groups={usage.groups} show={show} today={today} />
          <p className="mt-2 text-note text-ink-2">Days are in UTC.</p>
        </>
      )}
    </Section>
  )
}

/** Latest requests. */
export function RecentRequests({ children }: { children: ReactNode }) {
  return (
    <Section id="requests" title="Recent requests" more={{ href: '/portal/requests', name: 'All requests' }}>
      {children}
    </Section>
  )
}
