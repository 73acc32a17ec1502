import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { newQueryClient } from '#components/trpc/query-client.ts'
import { adminAppRouter } from '#server/trpc/root.ts'
import { found } from '../load.ts'
import { adminNotFound } from '../missing.tsx'
import { portalContext } from '../portal-caller.ts'
import { lacksAdminAccess } from './admin-pages.ts'

const optionsFor = (queryClient: QueryClient) => createTRPCOptionsProxy({ ctx: portalContext, router: adminAppRouter, queryClient }).admin

type Load = QueryClient['fetchQuery']
type Queries = (load: Load, admin: ReturnType<typeof optionsFor>) => readonly Promise<unknown>[]

/** Renders an admin page with its queries loaded: nothing without access, and the 404 page if one of the queries finds nothing. */
export async function adminPage(content: ReactNode, queries: Queries = () => []): Promise<ReactNode> {
  if (await lacksAdminAccess()) return null
  const client = newQueryClient()
  const load: Load = (options) => client.fetchQuery({ ...options, retry: false })
  const loaded = await found(Promise.all(queries(load, optionsFor(client))))
  return loaded === null ? adminNotFound() : <HydrationBoundary state={dehydrate(client)}>{content}</HydrationBoundary>
}
