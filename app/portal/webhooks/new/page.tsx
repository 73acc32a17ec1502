import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NewWebhookForm } from '#components/portal/webhooks/webhook-forms.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { choices, eventPrice } from '#server/pages/webhook-pages.ts'

export const metadata: Metadata = { title: 'Add endpoint' }

export default async function NewWebhookPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  if (!(await (await portalCaller()).webhooks.access()).isOn) redirect('/portal/webhooks')
  return (
    <div className="max-w-152">
      <PageHead title="Add endpoint" parent={{ href: '/portal/webhooks', name: 'Webhooks' }} />
      <NewWebhookForm choices={choices} price={eventPrice} />
    </div>
  )
}
