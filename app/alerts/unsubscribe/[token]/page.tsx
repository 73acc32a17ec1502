import type { Metadata } from 'next'
import { AlertSubscription } from '#components/site/alert-emails.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { missing } from '#server/pages/missing.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = { title: 'Alert emails', robots: { index: false }, referrer: 'no-referrer' }

export default async function UnsubscribePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const alert = await (await nextService()).alertSubscriptions.read(token)
  if (alert === null) return missing()
  return (
    <SiteShell>
      <AlertSubscription token={token} {...alert} />
    </SiteShell>
  )
}
