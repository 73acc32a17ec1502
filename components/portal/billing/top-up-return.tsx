'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { credits, number } from '../amounts.ts'
import { confirmingText, failedText } from './payment-text.ts'
import type { TopUpData } from './top-up-parts.tsx'

type Returned = Pick<TopUpData, 'state'> & { readonly id: string; readonly credits: number; readonly failure: string | null; readonly balanceCredits: number }

const everyMs = 400
const lateEveryMs = 1_000
const lateAfterMs = 30_000

/** Describes the state of a payment. */
function statusText({ state, credits: count, failure }: Returned, isCancelled: boolean, isLate: boolean): string {
  if (state === 'paid') return `${credits(count)} added.`
  if (state === 'failed') return failedText(failure)
  if (state === 'pending') return confirmingText
  if (isCancelled || state === 'expired') return 'You were not charged.'
  return isLate ? confirmingText : `Payment received. Adding ${credits(count)}.`
}

function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), lateAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

/** Updates the balance in the top bar at once, then refetches the overview. */
function useFreshBalance(isPaid: boolean, balanceCredits: number): void {
  const [client, portal] = [useQueryClient(), useTRPC()]
  useEffect(() => {
    if (!isPaid) return
    client.setQueryData(portal.account.overview.queryKey(), (known) => known && { ...known, balanceCredits })
    void client.invalidateQueries(portal.account.overview.queryFilter())
  }, [isPaid, balanceCredits, client, portal])
}

/** Waits until a top-up is credited and reports the result. `first` is the state of the top-up when the page was rendered. */
export function TopUpReturn({ first, isCancelled }: { first: Returned; isCancelled: boolean }) {
  const isLate = useIsLate()
  const { data } = useQuery(
    useTRPC().billing.topUp.queryOptions(
      { id: first.id },
      {
        refetchInterval: ({ state }) => (state.data?.state === 'paid' ? false : isLate ? lateEveryMs : everyMs),
        refetchIntervalInBackground: true,
        staleTime: 0,
      },
    ),
  )
  const now = data ?? first
  const isPaid = now.state === 'paid'
  useFreshBalance(isPaid, now.balanceCredits)
  return (
    <div aria-live="polite">
      <p className={`text-h2 font-semibold ${isPaid ? 'text-good' : ''}`}>{statusText(now, isCancelled, isLate)}</p>
      {isPaid ? <p className="mt-1 tabular-nums">New balance: {number(now.balanceCredits)}.</p> : null}
    </div>
  )
}
