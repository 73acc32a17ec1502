'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { saysSignedOut } from '#components/trpc/query-client.ts'
import { AccountLink } from './account-link.tsx'
import { readerCache, readerQueries } from './reader-queries.ts'

/** Balance and name of the signed-in reader; empty while they are unknown. */
export function SignedInAccount({ onSignedOut }: { onSignedOut: () => void }) {
  const { data: overview, error } = useQuery(readerQueries.account.overview.queryOptions(), readerCache)
  const { data: session } = useQuery(readerQueries.session.current.queryOptions(), readerCache)
  const isSignedOut = saysSignedOut(error) || session === null
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut, onSignedOut])
  return (
    <>
      <span className="min-w-24 text-right whitespace-nowrap text-ink-2 tabular-nums max-lg:text-left">
        {overview === undefined ? null : (
          <a href="/portal/billing" className="underline-offset-4 hover:text-ink hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center">
            {credits(overview.balanceCredits)}
          </a>
        )}
      </span>
      <AccountLink {...(session ? { who: session } : {})} />
    </>
  )
}
