import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { groupings, longestRange, measures, presets, type UsageView, usageHref } from './usage-view.ts'

const labels = { endpoint: 'Endpoint', key: 'Key', status: 'Status', credits: 'Credits', calls: 'Calls' } as const

type Choice = { readonly name: string; readonly href: string; readonly isCurrent: boolean }

/** Group of links to alternative views, with the current view marked. */
function Choices({ name, choices }: { name: string; choices: readonly Choice[] }) {
  return (
    <nav aria-label={name} className="flex flex-wrap items-center gap-x-1">
      <span aria-hidden="true" className="mr-1 text-ink-2">
        {name}
      </span>
      {choices.map((choice) => (
        <a
          key={choice.name}
          href={choice.href}
          aria-current={choice.isCurrent ? 'true' : undefined}
          className="inline-flex min-h-11 items-center border-b-2 border-transparent px-2 text-ink-2 hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink sm:min-h-9"
        >
          {choice.name}
        </a>
      ))}
    </nav>
  )
}

function DayField({ name, label, value, latest }: { name: string; label: string; value: string; latest: string }): ReactNode {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        type="date"
        name={name}
        defaultValue={value}
        max={latest}
        className="h-11 min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:h-9 sm:text-table"
      />
    </label>
  )
}

/** Controls for the date range, measure and grouping. Links and a GET form, so they work without JavaScript. */
export function UsageControls({ view, today }: { view: UsageView; today: string }) {
  return (
    <div className="mb-6 border-y border-line py-2">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-1">
        <Choices name="Last" choices={presets.map((last) => ({ name: `${last} days`, href: usageHref({ ...view, last }), isCurrent: view.last === last }))} />
        <Choices name="Show" choices={measures.map((show) => ({ name: labels[show], href: usageHref({ ...view, show }), isCurrent: view.show === show }))} />
        <Choices name="By" choices={groupings.map((by) => ({ name: labels[by], href: usageHref({ ...view, by }), isCurrent: view.by === by }))} />
      </div>
      <details open={view.last === null} className="mt-1">
        <summary className="min-h-8 cursor-pointer py-1 text-ink-2">Custom range</summary>
        <form action="/portal/usage" className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1 pb-2">
          <input type="hidden" name="by" value={view.by} />
          <input type="hidden" name="show" value={view.show} />
          <DayField name="from" label="From" value={view.from} latest={today} />
          <DayField name="to" label="To" value={view.to} latest={today} />
          <Button kind="plain" type="submit">
            Apply
          </Button>
          <span className="text-note text-ink-2">Up to {longestRange} days</span>
        </form>
      </details>
    </div>
  )
}
