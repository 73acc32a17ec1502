'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { credits, number } from '../amounts.ts'
import { usePortal } from '../portal-queries.tsx'
import type { TopUpFacts } from './top-up-tag.tsx'

type Returned = Pick<TopUpFacts, 'state'> & { readonly id: string; readonly credits: number; readonly failure: string | null }

const everyMs = 1_000
const patienceMs = 30_000

const confirming = 'Your bank is still confirming. We will email you. Do not pay again.'

/** What has become of a payment, in one sentence. */
function wordsOf({ state, credits: count, failure }: Returned, isCancelled: boolean, isLate: boolean): string {
  if (state === 'paid') return `${credits(count)} added.`
  if (state === 'failed') return `No payment was taken.${failure === null ? '' : ` ${failure}`}`
  if (state === 'pending') return confirming
  if (isCancelled || state === 'expired') return 'No payment was taken.'
  return isLate ? confirming : `Payment received. Adding ${credits(count)}.`
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

/** The balance in the top bar is read again as soon as the credits are there. */
function useFreshBalance(isPaid: boolean): number | undefined {
  const [client, portal] = [useQueryClient(), usePortal()]
  const { data } = useQuery(portal.account.overview.queryOptions())
  useEffect(() => {
    if (isPaid) void client.invalidateQueries(portal.account.overview.queryFilter())
  }, [isPaid, client, portal])
  return data?.balanceCredits
}

/** Waits for the money of a top-up and says when it has come. `first` is how it stood when the page was made. */
export function TopUpReturn({ first, isCancelled }: { first: Returned; isCancelled: boolean }) {
  const isLate = useIsLate()
  const { data } = useQuery(
    usePortal().billing.topUp.queryOptions(
      { id: first.id },
      {
        refetchInterval: ({ state }) => (state.data?.state === 'paid' ? false : everyMs),
        refetchIntervalInBackground: true,
        staleTime: 0,
      },
    ),
  )
  const now = data ?? first
  const isPaid = now.state === 'paid'
  const balance = useFreshBalance(isPaid)
  return (
    <div aria-live="polite">
      <p className={`text-h2 font-semibold ${isPaid ? 'text-good' : ''}`}>{wordsOf(now, isCancelled, isLate)}</p>
      {isPaid && balance !== undefined ? <p className="mt-1 tabular-nums">Balance {number(balance)}.</p> : null}
    </div>
  )
}
