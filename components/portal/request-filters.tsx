import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { errorCodes, errors } from '#server/api/contract/errors.ts'
import { isFiltered, type RequestView } from './request-view.ts'

/** Statuses that a call with a valid key can return. */
const loggedStatuses: readonly number[] = [200, 304, ...new Set(errorCodes.map((code) => errors[code].status))]
  .filter((status) => status !== 401)
  .sort((a, b) => a - b)

const maxLength = 100

type Parameters = Readonly<Record<string, string | string[] | undefined>>

/** Parses a URL's search parameters. Empty or malformed parameters are ignored. */
export function readRequestView(given: Parameters): RequestView {
  const text = (name: string): string | null => {
    const value = given[name]
    const one = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
    return one === '' ? null : one.slice(0, maxLength)
  }
  const status = loggedStatuses.find((known) => String(known) === text('status')) ?? null
  return { search: text('search'), endpoint: text('endpoint'), status, key: text('key'), before: text('before') }
}

type Option = { readonly value: string; readonly name: string }

const box = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:text-table'

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as a child
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-note font-medium">{label}</span>
      {children}
    </label>
  )
}

function Choice({ name, label, any, value, options }: { name: string; label: string; any: string; value: string | null; options: readonly Option[] }) {
  return (
    <Labelled label={label}>
      <select name={name} defaultValue={value ?? ''} className={box}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type Props = { view: RequestView; endpoints: readonly Option[]; keys: readonly Option[] }

/** Search and filters. A GET form, so it works without JavaScript. */
export function RequestFilters({ view, endpoints, keys }: Props) {
  return (
    <search>
      <form action="/portal/requests" className="mb-6 grid grid-cols-2 items-end gap-3 border-y border-line py-4 lg:grid-cols-[2fr_2fr_1fr_1.5fr_auto]">
        <div className="col-span-2 lg:col-span-1">
          <Labelled label="Request ID">
            <input
              name="search"
              defaultValue={view.search ?? ''}
              placeholder="req_…"
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="none"
              maxLength={100}
              className={`${box} font-mono`}
            />
          </Labelled>
        </div>
        <div className="col-span-2 lg:col-span-1">
          <Choice name="endpoint" label="Endpoint" any="All endpoints" value={view.endpoint} options={endpoints} />
        </div>
        <Choice
          name="status"
          label="Status"
          any="All statuses"
          value={view.status === null ? null : String(view.status)}
          options={loggedStatuses.map((status) => ({ value: String(status), name: String(status) }))}
        />
        <Choice name="key" label="Key" any="All keys" value={view.key} options={keys} />
        <div className="col-span-2 flex flex-wrap gap-3 lg:col-span-1">
          <Button kind="second" type="submit">
            Search
          </Button>
          {isFiltered(view) ? (
            <ButtonLink kind="second" href="/portal/requests">
              Clear filters
            </ButtonLink>
          ) : null}
        </div>
      </form>
    </search>
  )
}
