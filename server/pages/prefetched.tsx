import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { newQueryClient } from '#components/portal/query-client.ts'
import { portalRouter } from '#server/trpc/root.ts'
import { portalContext } from './portal-caller.ts'

const optionsFor = (queryClient: QueryClient) => createTRPCOptionsProxy({ ctx: portalContext, router: portalRouter, queryClient })

type Options = ReturnType<typeof optionsFor>
type Prefetch = (queryClient: QueryClient, queries: Options) => Promise<unknown>[]

/** Prefetches queries on the server, so that components render with data and refetch later. */
export async function Prefetched({ queries, children }: { queries: Prefetch; children: ReactNode }) {
  const queryClient = newQueryClient()
  await Promise.all(queries(queryClient, optionsFor(queryClient)))
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
}
