'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import superjson from 'superjson'
import { mostQuestions } from '#server/api/contract/portal-batch.ts'
import type { PortalRouter } from '#server/trpc/root.ts'
import { newQueryClient, saysSignedOut } from './query-client.ts'

const { TRPCProvider, useTRPC } = createTRPCContext<PortalRouter>()

/** The portal's procedures as queries and mutations: `useQuery(usePortal().account.overview.queryOptions())`. */
export const usePortal = useTRPC

const callWithinMs = 15_000

/** A call that hangs is given up, so that the page can say so. */
const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.any([AbortSignal.timeout(callWithinMs), ...(init?.signal ? [init.signal] : [])]) })

const SignedOutContext = createContext(false)

/** Whether questions are refused because nobody is signed in any more. */
export const useSignedOut = (): boolean => useContext(SignedOutContext)

/** Lets the parts of a page ask the portal. */
export function PortalQueries({ children }: { children: ReactNode }) {
  const [isSignedOut, setSignedOut] = useState(false)
  const [queryClient] = useState(() =>
    newQueryClient({
      onSuccess: () => setSignedOut(false),
      onError: (error) => {
        if (saysSignedOut(error)) setSignedOut(true)
      },
    }),
  )
  const [trpcClient] = useState(() =>
    createTRPCClient<PortalRouter>({
      links: [httpBatchLink({ url: '/api/trpc', transformer: superjson, maxItems: mostQuestions, fetch: fetchInTime as never })],
    }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <SignedOutContext value={isSignedOut}>{children}</SignedOutContext>
      </TRPCProvider>
    </QueryClientProvider>
  )
}
