'use client'

import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, type MouseEvent, Suspense, useState } from 'react'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { number } from './amounts.ts'
import type { Option } from './filter-select.tsx'
import { type ListEnd, LiveRequests } from './live-requests.tsx'
import { RequestFilters } from './request-filters.tsx'
import { RequestHistogram, useCallCount } from './request-histogram.tsx'
import { isFiltered, listInput, type RequestView, readRequestView, requestsHref } from './request-view.ts'
import { isPlainClick, useUrlView } from './url-view.ts'

/** Loaded when it is opened. */
const RequestDrawer = lazy(() => import('./request-drawer.tsx').then((module) => ({ default: module.RequestDrawer })))

function Empty({ isFound }: { isFound: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
      {isFound ? 'No requests match.' : 'No requests in the last 30 days.'}
      <ButtonLink kind="second" size="compact" href={isFound ? '/portal/requests' : '/portal/welcome'}>
        {isFound ? 'Show all requests' : 'Show example call'}
      </ButtonLink>
    </p>
  )
}

/** Note on the requests that are missing from the list. */
function Unlisted({ view }: { view: RequestView }) {
  const { search, endpoint, status, key } = listInput(view, new Date(0), 1)
  const { data = [] } = useQuery(useTRPC().requests.unlisted.queryOptions({ search, endpoint, status, key }))
  const counts = data.map((one) => `${number(one.calls)} with ${one.status}`).join(', ')
  return (
    <p className="mt-4 text-note text-ink-2">
      We keep requests for 30 days. Searches by path or parameter don't find calls whose parameters weren't stored.
      {data.length > 0 ? ` Repeated rejected requests count towards usage but aren't listed: ${counts}.` : null}
    </p>
  )
}

type EndProps = ListEnd & {
  /** Number of calls in the view; null if it is unknown. */
  total: number | null
  isSearch: boolean
  /** Attributes of links to the newest page, if another one is shown, and to the next page. */
  newest: ComponentProps<'a'> | null
  next: (before: string) => ComponentProps<'a'>
}

/** Number of requests in the list, and the button that adds more. The button is a link, so that the next page can also be opened by itself. */
function End({ shown, older, isLoading, loadMore, total, isSearch, newest, next }: EndProps) {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    loadMore()
  }
  const count =
    total !== null && older !== null && total > shown ? `${number(shown)} of ${number(total)}` : `${number(shown)} ${shown === 1 ? 'request' : 'requests'}`
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
      {shown === 0 ? null : <p className="grow text-note text-ink-2 tabular-nums">Showing {count}</p>}
      {newest === null ? null : (
        <a className="prose-link" {...newest}>
          Newest requests
        </a>
      )}
      {older === null ? null : (
        <ButtonLink kind="second" size="compact" {...next(older)} onClick={onClick} aria-busy={isLoading}>
          {isSearch ? 'Search older requests' : 'Load more'}
        </ButtonLink>
      )}
    </nav>
  )
}

/** Toggle that follows new requests. */
function LiveToggle({ isOn, toggle }: { isOn: boolean; toggle: () => void }) {
  return (
    <Button kind="second" size="compact" type="button" aria-pressed={isOn} onClick={toggle}>
      <span aria-hidden="true" className={`mr-2 size-2.5 rounded-full ${isOn ? 'animate-pulse bg-good motion-reduce:animate-none' : 'bg-line-strong'}`} />
      Live tail
    </Button>
  )
}

type Props = {
  view: RequestView
  /** Time at which the page was loaded. */
  now: Date
  limit: number
  /** URL of the API, with the version. */
  baseUrl: string
  endpoints: readonly Option[]
  keys: readonly Option[]
  statuses: readonly number[]
}

/** Request log: filters in the URL, live tail, and details in a drawer. */
export function RequestList({ view: initial, now, limit, baseUrl, ...options }: Props) {
  const { view, show, linkTo } = useUrlView(initial, readRequestView, requestsHref)
  const [liveSince, setLiveSince] = useState<Date | null>(null)
  const input = listInput(view, now, limit)
  const total = useCallCount(view, now)
  const open = (event: MouseEvent, id: string) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    show({ ...view, request: id })
  }
  const toggle = () => {
    setLiveSince(liveSince === null ? new Date() : null)
    if (view.before !== null || view.to !== null || view.search !== null) show({ ...view, before: null, to: null, search: null })
  }
  return (
    <>
      <PageHead title="Requests">
        <LiveToggle isOn={liveSince !== null} toggle={toggle} />
      </PageHead>
      <RequestFilters view={view} show={show} {...options} />
      <RequestHistogram view={view} now={now} />
      <LiveRequests
        input={input}
        liveSince={liveSince}
        onOpen={open}
        empty={<Empty isFound={isFiltered(view) || view.before !== null} />}
        end={(end) => (
          <End
            {...end}
            total={total}
            isSearch={view.search !== null}
            newest={view.before === null ? null : linkTo({ ...view, before: null })}
            next={(before) => linkTo({ ...view, before })}
          />
        )}
      />
      <Unlisted view={view} />
      <Suspense>{view.request === null ? null : <RequestDrawer id={view.request} close={() => show({ ...view, request: null })} baseUrl={baseUrl} />}</Suspense>
    </>
  )
}
