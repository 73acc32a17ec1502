import type { Metadata } from 'next'
import { number } from '#components/portal/amounts.ts'
import { LiveRequests } from '#components/portal/live-requests.tsx'
import { RequestFilters, readRequestView } from '#components/portal/request-filters.tsx'
import { isFiltered } from '#components/portal/request-view.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { operations } from '#server/api/documents/catalogue.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Requests' }

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>

const limit = 25

function Empty({ isFound }: { isFound: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
      {isFound ? 'No requests match.' : 'No requests in the last 30 days.'}
      <ButtonLink kind="second" href={isFound ? '/portal/requests' : '/portal/welcome'}>
        {isFound ? 'Clear filters' : 'Show example call'}
      </ButtonLink>
    </p>
  )
}

export default async function RequestsPage({ searchParams }: { searchParams: Search }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const view = readRequestView(await searchParams)
  const caller = await portalCaller()
  const [keys, unlisted] = await Promise.all([caller.keys.list(), caller.requests.unlisted(view)])
  const unlistedText = unlisted.map(({ status, calls }) => `${number(calls)} with ${status}`).join(', ')
  const endpoints = operations.map(({ id, method, path }) => ({ value: id, name: `${method} ${path}` }))
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Requests</h1>
      <RequestFilters
        view={view}
        endpoints={[...endpoints, { value: 'unknown', name: 'Unknown path' }]}
        keys={keys.map(({ id, name, hint }) => ({ value: id, name: name === '' ? hint : name }))}
      />
      <Prefetched queries={(client, portal) => [client.prefetchQuery(portal.requests.list.queryOptions({ ...view, limit }))]}>
        <LiveRequests view={view} limit={limit} isPaged empty={<Empty isFound={isFiltered(view) || view.before !== null} />} />
      </Prefetched>
      <p className="mt-6 text-note text-ink-2">
        We keep requests for 30 days.
        {unlisted.length > 0 ? ` Repeatedly rejected requests count towards usage but are not listed here: ${unlistedText}.` : null}
      </p>
    </>
  )
}
