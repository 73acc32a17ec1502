import type { Metadata } from 'next'
import { loggedStatuses } from '#components/portal/logged-statuses.ts'
import { Usage } from '#components/portal/usage.tsx'
import { readUsageView, reportInput } from '#components/portal/usage-view.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { filterOptions } from '#server/pages/request-filters.ts'

export const metadata: Metadata = { title: 'Usage' }

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>

export default async function UsagePage({ searchParams }: { searchParams: Search }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const now = new Date(Date.now())
  const view = readUsageView(await searchParams, now)
  return (
    <Prefetched queries={(client, { usage }) => [client.prefetchQuery(usage.report.queryOptions(reportInput(view)))]}>
      <Usage view={view} now={now} statuses={loggedStatuses} {...(await filterOptions())} />
    </Prefetched>
  )
}
