'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { FailedPanel } from './missing-content.tsx'
import { RequestTable } from './request-table.tsx'
import { type RequestView, requestsHref } from './request-view.ts'

const everyMs = 15_000

type Props = {
  view: RequestView
  limit: number
  /** Shown if there are no requests. */
  empty: ReactNode
  /** True if links to the newest and older requests are shown. */
  isPaged: boolean
}

/** Placeholder with the height of the expected rows. */
function Waiting() {
  return <div className="h-96 animate-pulse bg-sunken [animation-delay:200ms] motion-reduce:animate-none" role="status" aria-label="Loading requests" />
}

/** Live list of requests: the newest page polls while it is visible; older pages are static. */
export function LiveRequests({ view, limit, empty, isPaged }: Props) {
  const isNewest = view.before === null && view.search === null
  const list = useTRPC().requests.list.queryOptions({ ...view, limit }, { refetchInterval: isNewest ? everyMs : false })
  const { data, error, isFetching, refetch } = useQuery(list)
  if (data === undefined && error === null) return <Waiting />
  if (data === undefined)
    return (
      <FailedPanel
        what="your requests"
        reference={error?.data?.reference ?? null}
        again={
          <Button kind="second" type="button" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    )
  if (data.requests.length === 0) return empty
  return (
    <>
      <RequestTable requests={data.requests} isBusy={isFetching} />
      {isPaged ? (
        <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          {view.before === null ? null : (
            <a className="prose-link" href={requestsHref({ ...view, before: null })}>
              Newest requests
            </a>
          )}
          {data.older === null ? null : (
            <a className="prose-link" href={requestsHref({ ...view, before: data.older })}>
              Older requests
            </a>
          )}
        </nav>
      ) : null}
    </>
  )
}
