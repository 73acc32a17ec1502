'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { FailedPanel } from './missing-content.tsx'
import { RequestTable } from './request-table.tsx'
import type { listInput } from './request-view.ts'

const [everyMs, liveEveryMs] = [15_000, 2_000]

type Props = {
  input: ReturnType<typeof listInput>
  /** Start of the live tail; later requests are highlighted. Null if it is off. */
  liveSince?: Date | null
  /** Shown if there are no requests. */
  empty: ReactNode
  /** Handles a click on a request. Without it, the link to its page is followed. */
  onOpen?: (event: MouseEvent, id: string) => void
  /** Renders the links to other pages, given the id of the last request if there are older ones. */
  pages?: (older: string | null) => ReactNode
}

/** Placeholder with the height of the expected rows. */
function Waiting() {
  return <div className="h-96 animate-pulse bg-sunken [animation-delay:200ms] motion-reduce:animate-none" role="status" aria-label="Loading requests" />
}

/** List of requests. The newest page is refetched every 15 seconds while the tab is visible, or every two during a live tail; other pages are static. */
export function LiveRequests({ input, liveSince = null, empty, onOpen, pages }: Props) {
  const isNewest = input.before === null && input.search === null
  const interval = liveSince === null ? everyMs : liveEveryMs
  const list = useTRPC().requests.list.queryOptions(input, { refetchInterval: isNewest ? interval : false, placeholderData: keepPreviousData })
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
  return (
    <>
      {data.requests.length === 0 && data.older === null ? empty : null}
      {data.requests.length === 0 ? null : <RequestTable requests={data.requests} isBusy={isFetching} newSince={liveSince} onOpen={onOpen} />}
      {data.requests.length === 0 && data.older !== null ? <p className="py-4">No matches in the requests searched so far.</p> : null}
      {pages?.(data.older)}
    </>
  )
}
