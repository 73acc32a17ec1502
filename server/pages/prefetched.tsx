import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { ReactNode } from 'react'
import { LiveRequests } from '#components/portal/live-requests.tsx'
import { FailedPanel } from '#components/portal/missing-content.tsx'
import { RecentRequests, RecentUsage } from '#components/portal/recent-activity.tsx'
import { anyRequest, listInput } from '#components/portal/request-view.ts'
import { lastDays, lastHours } from '#components/portal/usage-view.ts'
import { newQueryClient } from '#components/trpc/query-client.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { adminAppRouter } from '#server/trpc/root.ts'
import { loaded } from './load.ts'
import { type portalCaller, portalContext } from './portal-caller.ts'

const optionsFor = (queryClient: QueryClient) => createTRPCOptionsProxy({ ctx: portalContext, router: adminAppRouter, queryClient })

type Options = ReturnType<typeof optionsFor>
type Prefetch = (queryClient: QueryClient, queries: Options) => Promise<unknown>[]

/** Prefetches queries on the server, so that components render with data and refetch later. */
export async function Prefetched({ queries, children }: { queries: Prefetch; children: ReactNode }) {
  const queryClient = newQueryClient()
  await Promise.all(queries(queryClient, optionsFor(queryClient)))
  return <HydrationBoundary state={dehydrate(queryClient)}>{children}</HydrationBoundary>
}

const newest = listInput(anyRequest, new Date(0), 10)

/** Usage over the last 14 days, and the newest requests. An account with less than three days of usage gets the last 24 hours. */
export async function RecentActivity({ portal, paceDays }: { portal: Awaited<ReturnType<typeof portalCaller>>; paceDays: number }) {
  const now = new Date(Date.now())
  const range = paceDays < 3 ? lastHours(now) : lastDays(14, now)
  const { data, reference } = await loaded(portal.usage.report({ ...range, by: 'endpoint' }))
  const again = (
    <ButtonLink kind="second" href="/portal">
      Try again
    </ButtonLink>
  )
  return (
    <>
      {data === null ? <FailedPanel what="your usage" reference={reference} again={again} /> : <RecentUsage usage={data} />}
      <RecentRequests>
        <Prefetched queries={(client, { requests }) => [client.prefetchQuery(requests.list.queryOptions(newest))]}>
          <LiveRequests input={newest} empty={<p className="py-3">No requests in the last 30 days.</p>} />
        </Prefetched>
      </RecentRequests>
    </>
  )
}
