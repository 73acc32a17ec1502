import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { NewWebhookForm } from '#components/portal/webhooks/webhook-forms.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { choices, eventPrice } from '#server/pages/webhook-pages.ts'

export const metadata: Metadata = { title: 'Add endpoint' }

export default async function NewWebhookPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  if (!(await (await portalCaller()).webhooks.access()).isOn) redirect('/portal/webhooks')
  return (
    <div className="max-w-152">
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Add endpoint</h1>
      <NewWebhookForm choices={choices} price={eventPrice} />
    </div>
  )
}
