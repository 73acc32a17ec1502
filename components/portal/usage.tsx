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

/** Time of the data, and the time zone of days. A time today is shown without its date. */
function UpdatedAt({ asOf, today }: { asOf: Date; today: string }) {
  return (
    <p className="mt-6 text-note text-ink-2">
      Updated <Time at={asOf} look={asOf.toISOString().startsWith(today) ? 'clock' : 'minute'} isStop />. Your balance is live. Days are in UTC, like the daily
      limit.
    </p>
  )
}

function Empty({ view }: { view: UsageView }) {
  const days = countDays(view)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 py-6">
      <p>{view.last === 1 || days === 1 ? 'No calls on this day.' : `No calls in these ${days} days.`}</p>
      <ButtonLink kind="second" href="/portal/welcome">
        Show example call
      </ButtonLink>
    </div>
  )
}

/** Usage of the selected days as a chart and a table. */
export function Usage({ usage, view, today }: { usage: ShownUsage; view: UsageView; today: string }) {
  const { groups, days, totals, asOf } = usage
  const isNothingShown = totals[view.show] === 0
  if (totals.calls === 0)
    return (
      <>
        <Empty view={view} />
        <UpdatedAt asOf={asOf} today={today} />
      </>
    )
  return (
    <>
      {isNothingShown ? (
        <p className="py-4 text-ink-2">No charges in this period.</p>
      ) : (
        <UsageBars days={days} groups={groups} show={view.show} today={today} />
      )}
      <div className="mt-8">
        <UsageTable groups={groups} totals={totals} by={view.by} />
      </div>
      <UpdatedAt asOf={asOf} today={today} />
    </>
  )
}
