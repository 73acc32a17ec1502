import type { Metadata } from 'next'
import { Alerts } from '#components/portal/alerts/alert-list.tsx'
import { alertExamples } from '#server/pages/alert-pages.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Alerts' }

export default async function AlertsPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  return (
    <Prefetched queries={(client, { alerts }) => [client.prefetchQuery(alerts.list.queryOptions())]}>
      <Alerts examples={alertExamples} />
    </Prefetched>
  )
}
