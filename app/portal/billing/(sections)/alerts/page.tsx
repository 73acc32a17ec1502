import type { Metadata } from 'next'
import { BalanceSettings } from '#components/portal/billing/balance-settings.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Spending limits' }

export default async function AlertsPage() {
  const { state } = await signedIn()
  if (state === 'blocked') return null
  return (
    <Prefetched queries={(client, { billing }) => [client.prefetchQuery(billing.overview.queryOptions())]}>
      <BalanceSettings />
    </Prefetched>
  )
}
