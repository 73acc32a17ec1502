import type { ReactNode } from 'react'
import { credits, number, percent, pounds, took } from './amounts.ts'
import { ModeTag } from './key-table.tsx'
import type { Amounts, UsageGroup } from './usage-charts.tsx'
import type { UsageView } from './usage-view.ts'

const heads = { endpoint: 'Endpoint', key: 'Key', status: 'Status' } as const

const titles = { endpoint: 'Endpoints', key: 'Keys', status: 'Statuses' } as const

const figures = [
  ['Calls', ({ calls }: Amounts) => number(calls)],
  ['Credits', (amounts: Amounts) => number(amounts.credits)],
  ['Errors', ({ calls, rejected, failed }: Amounts) => percent(rejected + failed, calls)],
  ['p50', ({ p50Ms }: Amounts) => took(p50Ms)],
  ['p95', ({ p95Ms }: Amounts) => took(p95Ms)],
] as const

const row = 'max-sm:grid max-sm:grid-cols-5 max-sm:py-2'
const headCell = 'py-2 pr-2 text-left align-top font-medium wrap-anywhere max-sm:col-span-5 max-sm:py-0'

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

/** Returns the URL of the requests behind a row: those of its group, with the filters and the range of the page. */
function requestsOf(view: UsageView, id: string): string {
  const { by, days, from, to, key, endpoint, status } = view
  const last = days === 1 ? '24h' : days === 7 ? '7d' : null
  const range = days === null || days === 0 || days === 'yesterday' ? { from, to } : last === null ? {} : { last }
  const filters = Object.entries({ key, endpoint, status, [by]: id }).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]))
  return `/portal/requests?${new URLSearchParams([...Object.entries(range), ...filters])}`
}

function Name({ group, view }: { group: UsageGroup; view: UsageView }): ReactNode {
  if (group.id === 'other') return group.name
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <a className="prose-link" href={requestsOf(view, group.id)}>
        {group.name}
      </a>
      {group.mode === null ? null : <ModeTag mode={group.mode} />}
      {view.by === 'key' ? (
        <a className="text-note prose-link" href={`/portal/keys/${group.id}`} aria-label={`Settings for ${group.name}`}>
          Settings
        </a>
      ) : null}
    </span>
  )
}

/** Usage per group, with the total below a double rule. Names link to the requests, and keys also to their settings. */
export function UsageTable({ groups, totals, view }: { groups: readonly UsageGroup[]; totals: Amounts; view: UsageView }) {
  return (
    <>
      <h2 className="mb-2 text-h2 font-semibold">{titles[view.by]}</h2>
      <table className="w-full text-table max-sm:block">
        <caption className="sr-only">Usage by {view.by}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line-strong text-ink-2">
            <th scope="col" className="h-10 text-left font-medium">
              {heads[view.by]}
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
                <Name group={group} view={view} />
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
