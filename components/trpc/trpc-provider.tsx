'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { Notice } from '#components/ui/notice.tsx'
import type { AppRouter } from '#server/trpc/root.ts'
import { newQueryClient, saysSignedOut } from './query-client.ts'
import { newTRPCClient } from './trpc-client.ts'

/** `useTRPC` returns the procedures as queries and mutations: `useQuery(useTRPC().account.overview.queryOptions())`. */
export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>()

const SignedOutContext = createContext(false)

/** True if queries fail because the session has ended. */
const useSignedOut = (): boolean => useContext(SignedOutContext)

type QueriesProps = {
  /** True to keep the input of queries out of URLs. */
  isPost?: boolean
  /** Public id of the account that the page shows. */
  account?: string
  children: ReactNode
}

/** Provides the portal's queries to the components of a page. */
export function TRPCQueries({ isPost = false, account, children }: QueriesProps) {
  const [isSignedOut, setSignedOut] = useState(false)
  const [queryClient] = useState(() =>
    newQueryClient({
      onSuccess: () => setSignedOut(false),
      onError: (error) => {
        if (saysSignedOut(error)) setSignedOut(true)
      },
    }),
  )
  const [trpcClient] = useState(() => newTRPCClient(isPost, account))
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <SignedOutContext value={isSignedOut}>{children}</SignedOutContext>
      </TRPCProvider>
    </QueryClientProvider>
  )
}

const never = () => () => undefined
const hereNow = () => `${location.pathname}${location.search}`

/** Reports that the session ended while the page was open. The content stays visible, and the sign-in link returns to the same page. */
export function SignedOutNotice() {
  const isSignedOut = useSignedOut()
  const here = useSyncExternalStore(never, hereNow, () => '/portal')
  return (
    <div aria-live="assertive" className="not-empty:mb-6">
      {isSignedOut ? (
        <Notice tone="caution">
          You've been signed out.{' '}
          <a className="prose-link" href={`/sign-in?next=${encodeURIComponent(here)}`}>
            Sign in
          </a>
        </Notice>
      ) : null}
    </div>
  )
}
