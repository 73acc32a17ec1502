'use client'

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { FailedPanel } from './missing-content.tsx'
import { RequestTable } from './request-table.tsx'
import type { listInput } from './request-view.ts'

const [everyMs, liveEveryMs] = [15_000, 2_000]

type Input = ReturnType<typeof listInput>

/** Values for the end of the list: number of requests shown, and the next page. */
export type ListEnd = {
  readonly shown: number
  /** Id of the last request if there are older ones. */
  readonly older: string | null
  readonly isLoading: boolean
  /** Adds the next page to the list. */
  readonly loadMore: () => void
}

type Props = {
  input: Input
  /** Start of the live tail; later requests are highlighted. Null if it is off. */
  liveSince?: Date | null
  /** Shown if there are no requests. */
  empty: ReactNode
  /** Handles a click on a request. Without it, the link to its page is followed. */
  onOpen?: (event: MouseEvent, id: string) => void
  /** Renders the end of the list, below the table. */
  end?: (end: ListEnd) => ReactNode
}

/** Placeholder with the height of the expected rows. */
function Waiting() {
  return <div className="h-96 animate-pulse bg-sunken [animation-delay:200ms] motion-reduce:animate-none" role="status" aria-label="Loading requests" />
}

/** Returns the pages that the user has added to the list. Clears them when the input changes or a live tail starts. Retries failed pages on request. */
function useNextPages(input: Input, isLive: boolean) {
  const { list } = useTRPC().requests
  const id = JSON.stringify(input)
  const [{ of, cursors }, set] = useState<{ of: string; cursors: readonly string[] }>({ of: id, cursors: [] })
  // After a live tail, the newest page has changed, so these pages would not follow it.
  if (isLive && cursors.length > 0) set({ of: id, cursors: [] })
  const added = of === id && !isLive ? cursors : []
  const queries = useQueries({ queries: added.map((before) => list.queryOptions({ ...input, before })) })
  const last = queries.at(-1)
  const isLoading = last?.isFetching ?? false
  const add = (before: string | null) => {
    if (last?.isError) void last.refetch()
    else if (before !== null && !isLoading) set({ of: id, cursors: [...added, before] })
  }
  return { count: added.length, pages: queries.flatMap(({ data }) => data ?? []), isLoading, add }
}

function Failed({ reference, refetch }: { reference: string | null; refetch: () => unknown }) {
  const again = (
    <Button kind="second" size="compact" type="button" onClick={() => void refetch()}>
      Try again
    </Button>
  )
  return <FailedPanel what="your requests" reference={reference} again={again} />
}

/**
 * List of requests. The newest page is refetched every 15 seconds while the tab is visible, or every two during a live tail. Other pages are static, and so is the
 * newest one once others follow it, because new requests would push some of its rows out of the list.
 */
export function LiveRequests({ input, liveSince = null, empty, onOpen, end }: Props) {
  const isNewest = input.before === null && input.search === null
  const interval = liveSince === null ? everyMs : liveEveryMs
  const { count, pages, isLoading, add } = useNextPages(input, liveSince !== null)
  const hasMore = count > 0
  const refreshing = { enabled: !hasMore, refetchInterval: isNewest && !hasMore ? interval : (false as const) }
  const { data, error, isFetching, refetch } = useQuery(useTRPC().requests.list.queryOptions(input, { ...refreshing, placeholderData: keepPreviousData }))
  if (data === undefined) return error === null ? <Waiting /> : <Failed reference={error.data?.reference ?? null} refetch={refetch} />
  const requests = [data, ...pages].flatMap((page) => page.requests)
  const { older } = pages.at(-1) ?? data
  const none = older === null ? empty : <p className="py-4">No matches in the requests searched so far.</p>
  return (
    <>
      {requests.length === 0 ? none : <RequestTable requests={requests} isBusy={isFetching} newSince={liveSince} onOpen={onOpen} />}
      {end?.({ shown: requests.length, older, isLoading, loadMore: () => add(older) })}
    </>
  )
}
