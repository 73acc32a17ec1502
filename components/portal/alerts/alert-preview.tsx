'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { toRefusal } from '#components/forms/refusal.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import type { TypedAlert } from './alert-labels.tsx'

const watchedNames = ['kind', 'type', 'minRate', 'provider', 'q', 'filter', 'providers'] as const
const delayMs = 400

type Watched = Pick<TypedAlert, (typeof watchedNames)[number]>

/** Returns the filters in the form once the user has stopped typing. */
function useSettled(chosen: TypedAlert): Watched {
  const values = useWatch({ name: [...watchedNames] }) as readonly unknown[]
  const text = JSON.stringify(Object.fromEntries(watchedNames.map((name, place) => [name, values[place] ?? chosen[name]])))
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as Watched
}

type Preview = { readonly count: number; readonly samples: readonly { readonly provider: string; readonly accountName: string }[] }

function Matches({ kind, count, samples }: Preview & { kind: TypedAlert['kind'] }) {
  return (
    <>
      <p className="font-semibold">{kind === 'bank-rate' ? 'Tracks Bank Rate.' : `Matches ${count} ${count === 1 ? 'product' : 'products'} now.`}</p>
      {samples.length === 0 ? null : (
        <ul className="mt-2 divide-y divide-line border-t border-line text-note text-ink-2">
          {samples.map(({ provider, accountName }) => (
            <li key={`${provider} ${accountName}`} className="py-1.5 last:pb-0">
              <span className="block text-ink">{provider}</span>
              {accountName}
            </li>
          ))}
          {count > samples.length ? <li className="py-1.5 last:pb-0">and {count - samples.length} more</li> : null}
        </ul>
      )}
    </>
  )
}

/** Shows how many products an alert would track now, while it is being edited. */
export function AlertPreview({ chosen }: { chosen: TypedAlert }) {
  const watched = useSettled(chosen)
  const { data, error } = useQuery(useTRPC().alerts.preview.queryOptions(watched, { placeholderData: keepPreviousData, retry: false }))
  return (
    <div aria-live="polite" className="rounded-panel border border-line bg-sunken px-4 py-3">
      {error === null ? null : <p className="text-ink-2">{Object.values(toRefusal(error).faults).join(' ')}</p>}
      {error !== null || data === undefined ? null : <Matches kind={watched.kind} {...data} />}
    </div>
  )
}
