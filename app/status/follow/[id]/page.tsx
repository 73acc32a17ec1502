import type { Metadata } from 'next'
import { Subscriber } from '#components/site/follow-status.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { missing } from '#server/pages/missing.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = { title: 'Status emails', robots: { index: false }, referrer: 'no-referrer' }

export default async function SubscriptionPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const subscriber = await (await nextService()).subscriber(id)
  if (subscriber === null) return missing()
  return (
    <SiteShell current="status">
      <Subscriber id={id} email={subscriber.email} isConfirmed={subscriber.confirmedAt !== null} />
    </SiteShell>
  )
}
