'use client'

import { useQuery } from '@tanstack/react-query'
import { readerCache, readerQueries } from '#components/site/reader-queries.ts'
import { Select } from '#components/ui/select.tsx'
import { keyName, type OwnKey } from './call-data.tsx'

function Options({ keys, mode, label }: { keys: readonly OwnKey[]; mode: OwnKey['mode']; label: string }) {
  const shown = keys.filter((key) => key.mode === mode)
  if (shown.length === 0) return null
  return (
    <optgroup label={label}>
      {shown.map((key) => (
        <option key={key.id} value={key.id}>
          {keyName(key)} {key.hint}
        </option>
      ))}
    </optgroup>
  )
}

/** Refetches the balance in the header, after a call with a live key. */
export const refreshBalance = () => void readerCache.invalidateQueries(readerQueries.account.overview.queryFilter())

type Props = { chosen: OwnKey | null; onChoose: (key: OwnKey | null) => void }

/**
 * Select for the key of the next call. It has no `name`, so the key is never submitted or put into a URL, and the browser doesn't restore it: after navigating
 * back, calls read sample data. An administrator who views the site as a customer can't use the customer's keys.
 */
export function OwnKeys({ chosen, onChoose }: Props) {
  const { data: session } = useQuery(readerQueries.session.current.queryOptions(), readerCache)
  const isOn = session != null && session.state !== 'blocked' && !session.isViewing
  const { data } = useQuery(readerQueries.keys.list.queryOptions(undefined, { enabled: isOn }), readerCache)
  if (!isOn || data === undefined) return null
  const keys = data.filter(({ state }) => state === 'active' || state === 'ending')
  if (keys.length === 0) {
    return (
      <p className="flex min-h-10 items-center gap-2 text-note text-ink-2">
        Your account has no active keys.
        <a className="prose-link" href="/portal/keys/new">
          Create key
        </a>
      </p>
    )
  }
  return (
    <p className="flex items-center gap-3">
      <label htmlFor="call-with" className="shrink-0 text-note font-medium">
        Call with
      </label>
      <Select
        id="call-with"
        autoComplete="off"
        value={chosen?.id ?? ''}
        onChange={(event) => onChoose(keys.find(({ id }) => id === event.target.value) ?? null)}
        className="h-10 w-full rounded-control border border-line-strong bg-surface px-2.5 text-[1rem] sm:text-table"
      >
        <option value="">Sample data (free)</option>
        <Options keys={keys} mode="live" label="Live keys (use credits)" />
        <Options keys={keys} mode="test" label="Test keys (free)" />
      </Select>
    </p>
  )
}
