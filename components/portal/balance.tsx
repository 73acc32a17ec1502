'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { credits, pounds } from './amounts.ts'

const everyMs = 15_000

/** Current balance, in the top bar of every page. It is refetched while the page is visible. */
export function Balance() {
  const { data } = useQuery(useTRPC().account.overview.queryOptions(undefined, { refetchInterval: everyMs }))
  if (data === undefined) return <Skeleton width="w-24" />
  const { balanceCredits } = data
  return (
    <span className={`whitespace-nowrap tabular-nums ${balanceCredits <= 0 ? 'text-danger' : ''}`}>
      <span className="sr-only">Balance: </span>
      <span className="font-medium">{credits(balanceCredits)}</span>
      <span className={`max-sm:hidden ${balanceCredits <= 0 ? '' : 'text-ink-2'}`}> · {pounds(balanceCredits)}</span>
    </span>
  )
}
