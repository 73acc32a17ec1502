import type { Metadata } from 'next'
import { loggedStatuses } from '#components/portal/logged-statuses.ts'
import { RequestList } from '#components/portal/request-list.tsx'
import { histogramInput, listInput, readRequestView } from '#components/portal/request-view.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { filterOptions } from '#server/pages/request-filters.ts'

export const metadata: Metadata = { title: 'Requests' }

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>

const limit = 50

export default async function RequestsPage({ searchParams }: { searchParams: Search }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const now = new Date(Date.now())
  const view = readRequestView(await searchParams)
  const input = listInput(view, now, limit)
  const { search, endpoint, status, key } = input
  const { publicUrl } = await currentAuthContext()
  return (
    <Prefetched
      queries={(client, { requests, usage }) => [
        client.prefetchQuery(requests.list.queryOptions(input)),
        ...(search === null && input.before === null ? [client.prefetchQuery(usage.report.queryOptions(histogramInput(view, now)))] : []),
        client.prefetchQuery(requests.unlisted.queryOptions({ search, endpoint, status, key })),
      ]}
    >
      <RequestList view={view} now={now} limit={limit} baseUrl={`${publicUrl}/v1`} statuses={loggedStatuses} {...(await filterOptions())} />
    </Prefetched>
  )
}
