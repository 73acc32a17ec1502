import { Time } from '#components/data/time.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import type { ChartDay } from './bar-geometry.ts'
import { UsageBars } from './usage-bars.tsx'
import { UsageTable } from './usage-table.tsx'
import { countDays, type UsageView } from './usage-view.ts'

type Amounts = { readonly calls: number; readonly credits: number; readonly p50Ms: number | null; readonly p95Ms: number | null }

export type ShownUsage = {
  readonly asOf: Date
  readonly totals: Amounts
  readonly groups: readonly (Amounts & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null })[]
  readonly days: readonly ChartDay[]
}

/** How far the figures reach, and what a day is. A moment of today is told by its time, any other with its day. */
function Truth({ asOf, today }: { asOf: Date; today: string }) {
  return (
    <p className="mt-6 text-note text-ink-2">
      True as of <Time at={asOf} look={asOf.toISOString().startsWith(today) ? 'clock' : 'minute'} isStop />. Your balance is exact now. Days are UTC, like the
      daily limit.
    </p>
  )
}

function Empty({ view }: { view: UsageView }) {
  const days = countDays(view)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 py-6">
      <p>{view.last === 1 || days === 1 ? 'No calls on this day.' : `No calls in these ${days} days.`}</p>
      <ButtonLink kind="second" href="/portal/welcome">
        Show me a call
      </ButtonLink>
    </div>
  )
}

/** Where credits and calls of these days went. */
export function Usage({ usage, view, today }: { usage: ShownUsage; view: UsageView; today: string }) {
  const { groups, days, totals, asOf } = usage
  const isNothingShown = totals[view.show] === 0
  if (totals.calls === 0)
    return (
      <>
        <Empty view={view} />
        <Truth asOf={asOf} today={today} />
      </>
    )
  return (
    <>
      {isNothingShown ? <p className="py-4 text-ink-2">These calls cost nothing.</p> : <UsageBars days={days} groups={groups} show={view.show} today={today} />}
      <div className="mt-8">
        <UsageTable groups={groups} totals={totals} by={view.by} />
      </div>
      <Truth asOf={asOf} today={today} />
    </>
  )
}
