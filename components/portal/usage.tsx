import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { credits, number, pounds, took } from './amounts.ts'
import type { ChartDay } from './chart-geometry.ts'
import { ModeTag } from './key-table.tsx'
import { UsageBars } from './usage-bars.tsx'
import { countDays, type UsageView } from './usage-view.ts'

type Group = Amounts & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null }
type By = 'endpoint' | 'key' | 'status'

const heads = { endpoint: 'Endpoint', key: 'Key', status: 'Status' } as const satisfies Record<By, string>

const figures = [
  ['Calls', ({ calls }: Amounts) => number(calls)],
  ['Credits', (amounts: Amounts) => number(amounts.credits)],
  ['p50', ({ p50Ms }: Amounts) => took(p50Ms)],
  ['p95', ({ p95Ms }: Amounts) => took(p95Ms)],
] as const

const row = 'max-sm:grid max-sm:grid-cols-4 max-sm:py-2'
const headCell = 'py-2 pr-2 text-left align-top font-medium wrap-anywhere max-sm:col-span-4 max-sm:py-0'

/** Cells with a group's figures. On a phone, they are labelled and appear below the group's name, which has a line to itself. */
function Figures({ amounts }: { amounts: Amounts }) {
  return figures.map(([name, figure]) => (
    <td key={name} className="py-2 pl-3 text-right align-top tabular-nums max-sm:py-1 max-sm:pl-0 max-sm:text-left">
      <span aria-hidden="true" className="block text-note text-ink-2 sm:hidden">
        {name}
      </span>
      {figure(amounts)}
    </td>
  ))
}

function Name({ group, by }: { group: Group; by: By }): ReactNode {
  if (group.id === 'other') return group.name
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <a className="prose-link" href={`/portal/requests?${new URLSearchParams({ [by]: group.id })}`}>
        {group.name}
      </a>
      {group.mode === null ? null : <ModeTag mode={group.mode} />}
    </span>
  )
}

/** Usage per group, with the total below a double rule. */
function UsageTable({ groups, totals, by }: { groups: readonly Group[]; totals: Amounts; by: By }) {
  return (
    <>
      <table className="w-full text-table max-sm:block">
        <caption className="sr-only">Usage by {by}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line-strong text-ink-2">
            <th scope="col" className="h-10 text-left font-medium">
              {heads[by]}
            </th>
            {figures.map(([name]) => (
              <th key={name} scope="col" className="h-10 pl-3 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {groups.map((group) => (
            <tr key={group.id} className={`border-b border-line ${row}`}>
              <th scope="row" className={headCell}>
                <Name group={group} by={by} />
              </th>
              <Figures amounts={group} />
            </tr>
          ))}
        </tbody>
        <tfoot className="max-sm:block">
          <tr className={`border-t-3 border-double border-ink-2 font-medium ${row}`}>
            <th scope="row" className={headCell}>
              Total: {credits(totals.credits)}, {pounds(totals.credits)}
            </th>
            <Figures amounts={totals} />
          </tr>
        </tfoot>
      </table>
      <p className="mt-3 max-w-[68ch] text-note text-pretty text-ink-2">
        Server-side latency: p50 is the median, p95 the 95th percentile. Network time is not included.
      </p>
    </>
  )
}

type Amounts = { readonly calls: number; readonly credits: number; readonly p50Ms: number | null; readonly p95Ms: number | null }

type ShownUsage = {
  readonly asOf: Date
  readonly totals: Amounts
  readonly groups: readonly (Amounts & { readonly id: string; readonly name: string; readonly mode: 'test' | 'live' | null })[]
  readonly days: readonly ChartDay[]
}

/** Note that says when the data was last updated and that days are in UTC. Leaves out the date if it is today. */
function UpdatedAt({ asOf, today }: { asOf: Date; today: string }) {
  return (
    <p className="mt-6 text-note text-ink-2">
      Updated <Time at={asOf} look={asOf.toISOString().startsWith(today) ? 'clock' : 'minute'} isStop />. Your balance is always current. Days and the daily
      limit are in UTC.
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

/** Bar chart of credits per day for the last few days, or of calls per day if no calls were charged. */
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

export function RecentRequests({ children }: { children: ReactNode }) {
  return (
    <Section id="requests" title="Recent requests" more={{ href: '/portal/requests', name: 'All requests' }}>
      {children}
    </Section>
  )
}
