'use client'

import { useQuery } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { useEffect } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { newQueryClient, saysSignedOut } from '#components/trpc/query-client.ts'
import { newTRPCClient } from '#components/trpc/trpc-provider.tsx'
import type { AppRouter } from '#server/trpc/root.ts'

// Shared by the header and the phone menu, so that the balance is requested once.
const queryClient = newQueryClient()
const portal = createTRPCOptionsProxy<AppRouter>({ client: newTRPCClient(), queryClient })

/** Balance of the signed-in reader; nothing while it is unknown. */
export function AccountBalance({ onSignedOut }: { onSignedOut: () => void }) {
  const { data, error } = useQuery(portal.account.overview.queryOptions(), queryClient)
  const isSignedOut = saysSignedOut(error)
  useEffect(() => {
    if (isSignedOut) onSignedOut()
  }, [isSignedOut, onSignedOut])
  return data === undefined ? null : (
    <a href="/portal/billing" className="underline-offset-4 hover:text-ink hover:underline max-lg:inline-flex max-lg:min-h-11 max-lg:items-center">
      {credits(data.balanceCredits)}
    </a>
  )
}
