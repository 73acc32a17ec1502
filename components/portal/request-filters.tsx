'use client'

import { type FormEvent, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { FilterSelect, filterBox, Labelled, type Option, statusOptions } from './filter-select.tsx'
import { anyRequest, isFiltered, lasts, type RequestView } from './request-view.ts'

type Props = {
  view: RequestView
  show: (view: RequestView) => void
  endpoints: readonly Option[]
  keys: readonly Option[]
  statuses: readonly number[]
}

/** Range of the list: one that ends now, the whole log, or UTC days. */
function Range({ view, show }: Pick<Props, 'view' | 'show'>) {
  const isCustom = view.from !== null || view.to !== null
  const today = new Date().toISOString().slice(0, 10)
  const dates = [
    { name: 'from', label: 'From (UTC)', value: view.from },
    { name: 'to', label: 'To (UTC)', value: view.to },
  ] as const
  return (
    <>
      <Labelled label="Time" isPlain>
        <Select
          value={isCustom ? 'custom' : (view.last ?? '')}
          onChange={({ currentTarget: { value } }) => {
            const range =
              value === 'custom'
                ? { last: null, from: today, to: today }
                : { last: lasts.find(({ last }) => last === value)?.last ?? null, from: null, to: null }
            show({ ...view, ...range })
          }}
          className={filterBox}
        >
          <option value="">Last 30 days</option>
          {lasts.map(({ last, name }) => (
            <option key={last} value={last}>
              Last {name.toLowerCase()}
            </option>
          ))}
          <option value="custom">Custom range</option>
        </Select>
      </Labelled>
      {isCustom
        ? dates.map(({ name, label, value }) => (
            <Labelled key={name} label={label}>
              <input
                type="date"
                value={value ?? ''}
                max={today}
                onChange={({ currentTarget }) => show({ ...view, [name]: currentTarget.value || null })}
                className={filterBox}
              />
            </Labelled>
          ))
        : null}
    </>
  )
}

/** Search and filters, kept in the URL. The search applies on submit, the filters immediately. */
export function RequestFilters({ view, show: showView, endpoints, keys, statuses }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const show = (next: RequestView) => showView({ ...next, before: null, request: null })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const search = String(new FormData(event.currentTarget).get('search') ?? '').trim()
    show({ ...view, search: search === '' ? null : search })
  }
  return (
    <search>
      <form
        ref={form}
        onSubmit={submit}
        className="mb-4 grid grid-cols-2 items-end gap-3 rounded-panel border border-line bg-surface px-4 py-3 lg:flex lg:flex-wrap lg:*:grow lg:*:basis-32"
      >
        <div className="col-span-2 flex items-end gap-2 lg:basis-72!">
          <div className="min-w-0 grow">
            <Labelled label="Request ID, path or parameter">
              <input
                key={view.search}
                name="search"
                defaultValue={view.search ?? ''}
                placeholder="req_… or type=notice"
                spellCheck={false}
                autoComplete="off"
                autoCapitalize="none"
                maxLength={100}
                className={`${filterBox} font-mono`}
              />
            </Labelled>
          </div>
          <Button kind="filter" type="submit">
            Search
          </Button>
        </div>
        <Range view={view} show={show} />
        <FilterSelect
          label="Status"
          any="All statuses"
          value={view.status}
          options={statusOptions(statuses)}
          onChoose={(status) => show({ ...view, status })}
        />
        <FilterSelect label="Key" any="All keys" value={view.key} options={keys} onChoose={(key) => show({ ...view, key })} />
        <FilterSelect label="Endpoint" any="All endpoints" value={view.endpoint} options={endpoints} onChoose={(endpoint) => show({ ...view, endpoint })} />
        {isFiltered(view) ? (
          <div className="col-span-2 lg:grow-0! lg:basis-auto!">
            <Button
              kind="filter"
              type="button"
              onClick={() => {
                form.current?.reset()
                show(anyRequest)
              }}
            >
              Clear filters
            </Button>
          </div>
        ) : null}
      </form>
    </search>
  )
}
