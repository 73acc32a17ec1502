'use client'

import { CalendarRange, ListFilter } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { FilterSelect, filterBox, Labelled, type Option, statusOptions } from './filter-select.tsx'
import type { LinkTo } from './url-view.ts'
import { grains, groupings, measures, namedRanges, presets, readUsageView, type UsageView, withGrain, withPreset } from './usage-view.ts'

const labels = { endpoint: 'Endpoint', key: 'Key', status: 'Status', credits: 'Credits', calls: 'Calls', hour: 'Hour', day: 'Day', month: 'Month' } as const

type Choice = { readonly name: string; readonly short?: string; readonly view: UsageView; readonly isCurrent: boolean }

type ChoicesProps = {
  /** Name of the group for screen readers. */
  label: string
  /** Word in front of the group, if the choices need one. Hidden on a phone. */
  word?: string
  choices: readonly Choice[]
  linkTo: LinkTo<UsageView>
}

/** Group of links to alternative views, with the current view marked. */
function Choices({ label, word, choices, linkTo }: ChoicesProps) {
  return (
    <nav aria-label={label} className="flex max-w-full items-center gap-x-2">
      {word === undefined ? null : (
        <span aria-hidden="true" className="text-note text-ink-2 max-sm:hidden">
          {word}
        </span>
      )}
      <span className="inline-flex overflow-x-auto rounded-control bg-sunken p-0.5">
        {choices.map((choice) => (
          <a
            key={choice.name}
            {...linkTo(choice.view)}
            aria-current={choice.isCurrent ? 'true' : undefined}
            className="inline-flex min-h-10 items-center rounded-sm px-2 text-table -outline-offset-2! max-sm:px-1.5 whitespace-nowrap text-ink-2 transition-colors duration-120 hover:text-ink aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-accent aria-[current]:shadow-panel aria-[current]:ring-1 aria-[current]:ring-line aria-[current]:ring-inset motion-reduce:transition-none sm:min-h-7"
          >
            {choice.short === undefined ? (
              choice.name
            ) : (
              <>
                <span className="max-sm:hidden">{choice.name}</span>
                <span className="sm:hidden">{choice.short}</span>
              </>
            )}
          </a>
        ))}
      </span>
    </nav>
  )
}

function DayField({ name, label, value, latest }: { name: string; label: string; value: string; latest: string }): ReactNode {
  return (
    <label className="flex items-center gap-2">
      {label}
      <input
        key={value}
        type="date"
        name={name}
        defaultValue={value}
        max={latest}
        className="h-11 min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:h-9 sm:text-table"
      />
    </label>
  )
}

const disclosure =
  'flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 rounded-control border border-line-strong bg-surface px-3 text-table whitespace-nowrap text-ink-2 transition-colors duration-120 hover:text-ink group-open:bg-accent-wash group-open:font-medium group-open:text-accent motion-reduce:transition-none sm:min-h-8.5 [&::-webkit-details-marker]:hidden'

/** Ranges with a name, and a form for a custom range of dates. */
function CustomRange({ view, now, show, linkTo }: Pick<Props, 'view' | 'now' | 'show' | 'linkTo'>) {
  const today = now.toISOString().slice(0, 10)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const next = readUsageView({ from: String(given.get('from')), to: String(given.get('to')), grain: view.grain }, now)
    if (next.days === null) show({ ...view, from: next.from, to: next.to, days: null, grain: next.grain })
  }
  return (
    <details open={view.days === null} className={`group open:basis-full ${view.days === null ? '' : 'max-sm:hidden'}`}>
      <summary className={disclosure}>
        <CalendarRange aria-hidden="true" className="size-4" />
        Custom range
      </summary>
      <form onSubmit={submit} className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-1">
        <Choices
          label="Named range"
          linkTo={linkTo}
          choices={namedRanges(view, now).map((range) => ({ ...range, isCurrent: range.view.from === view.from && range.view.to === view.to }))}
        />
        <DayField name="from" label="From" value={view.from.slice(0, 10)} latest={today} />
        <DayField name="to" label="To" value={view.to.slice(0, 10)} latest={today} />
        <Button kind="filter" type="submit">
          Apply
        </Button>
        <span className="text-note text-ink-2">UTC days, up to two years</span>
      </form>
    </details>
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

/** Filters by key, endpoint and status, open while one is set. */
function Filters({ view, show, endpoints, keys, statuses }: Omit<Props, 'now' | 'linkTo'>) {
  const isFiltered = view.key !== null || view.endpoint !== null || view.status !== null
  return (
    <details open={isFiltered} className="group open:basis-full">
      <summary className={disclosure}>
        <ListFilter aria-hidden="true" className="size-4" />
        Filter
      </summary>
      <search className="grid grid-cols-2 gap-3 pt-1 sm:grid-cols-3">
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

/** Range and periods on a phone, as selects on one line. A custom range starts with the dates of the current one. */
function PhoneRange({ view, now, show }: Pick<Props, 'view' | 'now' | 'show'>) {
  return (
    <div className="flex min-w-0 grow gap-2 sm:hidden">
      <Labelled label="Range" isPlain>
        <Select
          className={filterBox}
          value={view.days ?? 'custom'}
          onChange={({ currentTarget: { value } }) => {
            const preset = presets.find(({ days }) => String(days) === value)
            show(preset === undefined ? { ...view, from: view.from.slice(0, 10), to: view.to.slice(0, 10), days: null } : withPreset(view, preset.days, now))
          }}
        >
          {presets.map(({ days, name }) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
          <option value="custom">Custom dates</option>
        </Select>
      </Labelled>
      <Labelled label="Interval" isPlain>
        <Select
          className={filterBox}
          value={view.grain}
          onChange={({ currentTarget: { value } }) => show(withGrain(view, grains.find((grain) => grain === value) ?? view.grain, now))}
        >
          {grains.map((grain) => (
            <option key={grain} value={grain}>
              {labels[grain]}
            </option>
          ))}
        </Select>
      </Labelled>
    </div>
  )
}

/** Controls for the range, the periods and the filters. Each change is a new URL. */
export function UsageControls({ view, now, show, linkTo, ...options }: Props) {
  return (
    <div className="-mt-2 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:mb-4 max-sm:gap-x-2">
      <PhoneRange view={view} now={now} show={show} />
      <div className="max-sm:hidden">
        <Choices
          label="Range"
          linkTo={linkTo}
          choices={presets.map(({ days, name, short }) => ({ name, short, view: withPreset(view, days, now), isCurrent: view.days === days }))}
        />
      </div>
      <div className="max-sm:hidden">
        <Choices
          label="Interval"
          word="Per"
          linkTo={linkTo}
          choices={grains.map((grain) => ({ name: labels[grain], view: withGrain(view, grain, now), isCurrent: view.grain === grain }))}
        />
      </div>
      <CustomRange view={view} now={now} show={show} linkTo={linkTo} />
      <Filters view={view} show={show} {...options} />
    </div>
  )
}

/** Heading of the chart, which follows the view, with the controls for the measure and the grouping. */
export function ChartHead({ view, linkTo }: Pick<Props, 'view' | 'linkTo'>) {
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 className="text-h2 font-semibold">
        {labels[view.show]} per {view.grain} by {view.by}
      </h2>
      <div className="flex max-w-full flex-wrap items-center gap-x-4 gap-y-2">
        <Choices
          label="Show"
          linkTo={linkTo}
          choices={measures.map((measure) => ({ name: labels[measure], view: { ...view, show: measure }, isCurrent: view.show === measure }))}
        />
        <Choices
          label="Group by"
          word="By"
          linkTo={linkTo}
          choices={groupings.map((by) => ({ name: labels[by], view: { ...view, by }, isCurrent: view.by === by }))}
        />
      </div>
    </div>
  )
}
