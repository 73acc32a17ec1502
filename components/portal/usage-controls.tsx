'use client'

import { Download, ListFilter } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { inRow, SummaryButton } from '#components/ui/summary-button.tsx'
import { FilterSelect, filterBox, Labelled, type Option, statusOptions } from './filter-select.tsx'
import type { LinkTo } from './url-view.ts'
import { grains, groupings, measures, namedRanges, presets, readUsageView, type UsageView, withCustomRange, withGrain, withPreset } from './usage-view.ts'

const labels = { endpoint: 'Endpoint', key: 'Key', status: 'Status', credits: 'Credits', calls: 'Calls', hour: 'Hour', day: 'Day', month: 'Month' } as const

type Choice = { readonly name: string; readonly view: UsageView; readonly isCurrent: boolean }

type ChoicesProps = {
  /** Name of the group for screen readers. */
  label: string
  choices: readonly Choice[]
  linkTo: LinkTo<UsageView>
}

/** Group of links to alternative views, with the current view marked. */
function Choices({ label, choices, linkTo }: ChoicesProps) {
  return (
    <nav aria-label={label} className="inline-flex max-w-full overflow-x-auto rounded-control bg-sunken p-0.5">
      {choices.map(({ name, view, isCurrent }) => (
        <a
          key={name}
          {...linkTo(view)}
          aria-current={isCurrent ? 'true' : undefined}
          className="inline-flex min-h-10 items-center rounded-[3px] px-2 text-table -outline-offset-2! whitespace-nowrap text-ink-2 transition-colors duration-120 hover:text-ink aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-accent aria-[current]:shadow-panel aria-[current]:ring-1 aria-[current]:ring-line aria-[current]:ring-inset motion-reduce:transition-none sm:min-h-8"
        >
          {name}
        </a>
      ))}
    </nav>
  )
}

function DayField({ name, label, value, latest }: { name: string; label: string; value: string; latest: string }): ReactNode {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input key={value} type="date" name={name} defaultValue={value} max={latest} className={`${filterBox} w-auto!`} />
    </label>
  )
}

/** Form for the dates of a custom range, with the ranges that have a name. */
function CustomRange({ view, now, show, linkTo }: Pick<Props, 'view' | 'now' | 'show' | 'linkTo'>) {
  const today = now.toISOString().slice(0, 10)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const next = readUsageView({ from: String(given.get('from')), to: String(given.get('to')), grain: view.grain }, now)
    if (next.days === null) show({ ...view, from: next.from, to: next.to, days: null, grain: next.grain })
  }
  return (
    <form onSubmit={submit} className="order-1 flex basis-full flex-wrap items-center gap-x-4 gap-y-2">
      <DayField name="from" label="From" value={view.from.slice(0, 10)} latest={today} />
      <DayField name="to" label="To" value={view.to.slice(0, 10)} latest={today} />
      <Button kind="filter" type="submit">
        Apply
      </Button>
      <Choices
        label="Named range"
        linkTo={linkTo}
        choices={namedRanges(view, now).map((range) => ({ ...range, isCurrent: range.view.from === view.from && range.view.to === view.to }))}
      />
      <span className="text-note text-ink-2">UTC days, up to two years</span>
    </form>
  )
}

type Props = {
  view: UsageView
  now: Date
  show: (view: UsageView) => void
  linkTo: LinkTo<UsageView>
  endpoints: readonly Option[]
  keys: readonly Option[]
  statuses: readonly number[]
}

/** Filters by key, endpoint and status. Expanded while a filter is set. */
function Filters({ view, show, endpoints, keys, statuses }: Omit<Props, 'now' | 'linkTo'>) {
  const isFiltered = view.key !== null || view.endpoint !== null || view.status !== null
  return (
    <details open={isFiltered} className={inRow}>
      <SummaryButton kind="filter" icon={<ListFilter aria-hidden="true" className="size-4 shrink-0" />}>
        Filter
      </SummaryButton>
      <search className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        <FilterSelect label="Key" any="All keys" value={view.key} options={keys} onChoose={(key) => show({ ...view, key })} />
        <div className="max-sm:order-last max-sm:col-span-2">
          <FilterSelect label="Endpoint" any="All endpoints" value={view.endpoint} options={endpoints} onChoose={(endpoint) => show({ ...view, endpoint })} />
        </div>
        <FilterSelect
          label="Status"
          any="All statuses"
          value={view.status}
          options={statusOptions(statuses)}
          onChoose={(status) => show({ ...view, status })}
        />
      </search>
    </details>
  )
}

/** Range of the report. A custom range starts with the dates of the current one. */
function Range({ view, now, show }: Pick<Props, 'view' | 'now' | 'show'>) {
  return (
    <div className="w-40 min-w-0 max-sm:grow max-sm:basis-32">
      <Labelled label="Range" isPlain>
        <Select
          className={filterBox}
          value={view.days ?? 'custom'}
          onChange={({ currentTarget: { value } }) => {
            const preset = presets.find(({ days }) => String(days) === value)
            show(preset === undefined ? withCustomRange(view) : withPreset(view, preset.days, now))
          }}
        >
          {presets.map(({ days, name }) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
          <option value="custom">Custom range</option>
        </Select>
      </Labelled>
    </div>
  )
}

/** Link that downloads the range with the filters as CSV. */
export function DownloadLink({ view: { from, to, key, endpoint, status } }: Pick<Props, 'view'>) {
  const filters = Object.entries({ key, endpoint, status }).flatMap(([name, value]) => (value === null ? [] : [[name, value] as [string, string]]))
  return (
    <ButtonLink
      kind="second"
      size="compact"
      href={`/portal/usage/csv?${new URLSearchParams([['from', from.slice(0, 10)], ['to', to.slice(0, 10)], ...filters])}`}
      download
    >
      <Download aria-hidden="true" className="size-4 shrink-0 sm:mr-2" />
      <span className="max-sm:sr-only">Download CSV</span>
    </ButtonLink>
  )
}

/** Controls for the range and the filters. Each change is a new URL. */
export function UsageControls({ view, now, show, linkTo, ...options }: Props) {
  return (
    <div className="-mt-2 mb-6 flex flex-wrap items-center gap-2">
      <Range view={view} now={now} show={show} />
      <Filters view={view} show={show} {...options} />
      {view.days === null ? <CustomRange view={view} now={now} show={show} linkTo={linkTo} /> : null}
    </div>
  )
}

type ChartProps = Pick<Props, 'view' | 'now' | 'show' | 'linkTo'>

/** Controls of the chart on a phone, as selects. */
function PhoneChartControls({ view, now, show }: Omit<ChartProps, 'linkTo'>) {
  return (
    <div className="order-1 grid basis-full grid-cols-[3fr_2fr] gap-2 sm:hidden">
      <Labelled label="Show" isPlain>
        <Select
          className={filterBox}
          value={`${view.show} ${view.by}`}
          onChange={({ currentTarget: { value } }) => {
            for (const measure of measures) for (const by of groupings) if (value === `${measure} ${by}`) show({ ...view, show: measure, by })
          }}
        >
          {measures.flatMap((measure) =>
            groupings.map((by) => (
              <option key={by} value={`${measure} ${by}`}>
                {labels[measure]} by {by}
              </option>
            )),
          )}
        </Select>
      </Labelled>
      <Labelled label="Interval" isPlain>
        <Select
          className={filterBox}
          value={view.grain}
          onChange={({ currentTarget: { value } }) => {
            for (const grain of grains) if (value === grain) show(withGrain(view, grain, now))
          }}
        >
          {grains.map((grain) => (
            <option key={grain} value={grain}>
              Per {grain}
            </option>
          ))}
        </Select>
      </Labelled>
    </div>
  )
}

/** Controls of the chart: its measure, periods and grouping. */
export function ChartControls({ view, now, show, linkTo }: ChartProps) {
  return (
    <>
      <div className="contents max-sm:hidden">
        <Choices
          label="Show"
          linkTo={linkTo}
          choices={measures.map((measure) => ({ name: labels[measure], view: { ...view, show: measure }, isCurrent: view.show === measure }))}
        />
        <Choices
          label="Interval"
          linkTo={linkTo}
          choices={grains.map((grain) => ({ name: labels[grain], view: withGrain(view, grain, now), isCurrent: view.grain === grain }))}
        />
        <Choices label="Group by" linkTo={linkTo} choices={groupings.map((by) => ({ name: labels[by], view: { ...view, by }, isCurrent: view.by === by }))} />
      </div>
      <PhoneChartControls view={view} now={now} show={show} />
    </>
  )
}

/** Title of the chart for the current view. */
export const chartTitle = ({ show, grain, by }: UsageView): string => `${labels[show]} per ${grain} by ${by}`
