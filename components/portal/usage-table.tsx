import type { ReactNode } from 'react'
import { credits, number, pounds } from './amounts.ts'
import { ModeTag } from './key-table.tsx'
import { took } from './took.ts'

type Amounts = { readonly calls: number; readonly credits: number; readonly p50Ms: number | null; readonly p95Ms: number | null }
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

/** On a phone the name has its own line, with the labelled figures below it. */
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
export function UsageTable({ groups, totals, by }: { groups: readonly Group[]; totals: Amounts; by: By }) {
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
