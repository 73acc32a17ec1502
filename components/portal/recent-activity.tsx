'use client'

import type { ReactNode } from 'react'
import { ChartHead } from '#components/charts/chart-head.tsx'
import { useTimeZone } from '#components/data/time.tsx'
import { type ShownUsage, UsageBars } from './usage-charts.tsx'

/** Bar chart of credits for the last 24 hours or 14 days, or of calls if none were charged. */
export function RecentUsage({ usage }: { usage: ShownUsage }) {
  const zone = useTimeZone()
  const show = usage.totals.credits > 0 ? 'credits' : 'calls'
  const range = `last ${usage.periods.length} ${usage.grain}s`
  const title = `${show === 'credits' ? 'Credits' : 'Calls'}, ${range}`
  const href = `/portal/usage?${new URLSearchParams({ days: usage.grain === 'hour' ? '1' : '30', show })}`
  const more = (
    <a className="prose-link" href={href}>
      All usage
    </a>
  )
  return (
    <section aria-labelledby="usage" className="mt-10">
      {usage.totals.calls > 0 ? (
        <UsageBars id="usage" title={title} usage={usage} show={show} timeZone={zone} isTotal more={more} />
      ) : (
        <>
          <ChartHead id="usage" title={title}>
            {more}
          </ChartHead>
          <p>No calls in the {range}.</p>
        </>
      )}
    </section>
  )
}

export function RecentRequests({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="requests" className="mt-10">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="requests" className="text-h2 font-semibold">
          Recent requests
        </h2>
        <a className="prose-link" href="/portal/requests">
          All requests
        </a>
      </div>
      {children}
    </section>
  )
}
