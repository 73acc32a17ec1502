'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { FilterSelect, filterBox, Labelled, type Option, statusOptions } from './filter-select.tsx'
import { anyRequest, countFilters, lasts, type RequestView } from './request-view.ts'

type Props = {
  view: RequestView
  /** Shows another view. Adds an entry to the browser's history, or replaces the current one. */
  show: (view: RequestView, isReplacing?: boolean) => void
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
          <option value="">30 days</option>
          {lasts.map(({ last, name }) => (
            <option key={last} value={last}>
              {name}
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

const toSearch = (typed: string): string | null => typed.trim() || null

const searchDelayMs = 300

/** Search field. It applies on Enter, or shortly after the last key. */
function Search({ search, find }: { search: string | null; find: (search: string | null) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, type] = useState(search ?? '')
  const [applied, setApplied] = useState(search)
  // The URL has changed by other means, such as the back button.
  if (applied !== search) {
    setApplied(search)
    if (toSearch(typed) !== search) type(search ?? '')
  }
  const apply = () => {
    if (toSearch(typed) !== search) find(toSearch(typed))
  }
  // Keeps text that was typed before the page's script had loaded. An update with the same text could undo a click on "Clear filters" that comes first.
  useEffect(() => {
    const early = input.current?.value ?? ''
    if (early !== input.current?.defaultValue) type(early)
  }, [])
  useEffect(() => {
    const timer = setTimeout(apply, searchDelayMs)
    return () => clearTimeout(timer)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form onSubmit={submit} className="min-w-0 grow">
      <Labelled label="Request ID, path or parameter" isPlain>
        <input
          ref={input}
          type="search"
          name="search"
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          placeholder="Search ID or path"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={100}
          className={`${filterBox} text-ellipsis`}
        />
      </Labelled>
    </form>
  )
}

/** Search and filters, kept in the URL. On a phone, a button opens the filters. */
export function RequestFilters({ view, show: showView, endpoints, keys, statuses }: Props) {
  const [isOpen, setOpen] = useState(false)
  const show = (next: RequestView, isReplacing = false) => showView({ ...next, before: null, request: null }, isReplacing)
  const { search, ...others } = view
  const count = countFilters({ ...others, search: null })
  return (
    <search className="-mt-2 mb-3 flex flex-wrap gap-2">
      <div className="flex min-w-0 grow gap-2 max-sm:basis-full lg:basis-64">
        <Search search={search} find={(next) => show({ ...view, search: next }, search !== null)} />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={`${filterBox} w-auto! shrink-0 px-3! font-medium sm:hidden`}>
          Filters{count === 0 ? '' : ` (${count})`}
        </button>
      </div>
      <div
        className={`grid grow grid-cols-2 items-end gap-2 max-sm:basis-full sm:flex sm:flex-wrap sm:*:grow sm:*:basis-32 lg:basis-xl ${isOpen ? '' : 'max-sm:hidden'}`}
      >
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
      </div>
      {count === 0 && search === null ? null : (
        <Button kind="filter" type="button" onClick={() => show(anyRequest)}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
