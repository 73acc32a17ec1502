import type { Metadata } from 'next'
import { EditWebhookForm } from '#components/portal/webhooks/webhook-forms.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { choices, getWebhook } from '#server/pages/webhook-pages.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Edit endpoint', () => getWebhook(id))
}

export default async function EditWebhookPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id } = await params
  const webhook = await getWebhook(id)
  if (webhook === null) return missingThing()
  return (
    <div className="max-w-152">
      <BackLink href={`/portal/webhooks/${id}`} name="Endpoint" />
      <h1 className="mb-2 text-h1 font-semibold tracking-tight">Edit endpoint</h1>
      <p className="mb-6 text-pretty text-ink-2">The signing secret stays the same. Pending events are sent to the new URL.</p>
      <Prefetched queries={(client, { webhooks }) => [client.prefetchQuery({ ...webhooks.read.queryOptions({ id }), initialData: webhook })]}>
        <EditWebhookForm id={id} choices={choices} />
      </Prefetched>
    </div>
  )
}
