import type { Metadata } from 'next'
import { WebhookFields } from '../../../../../components/portal/webhooks/webhook-fields.tsx'
import { Form } from '../../../../../components/ui/form.tsx'
import { SubmitButton } from '../../../../../components/ui/submit-button.tsx'
import { signedIn } from '../../../../portal-caller.ts'
import { missingThing, titled } from '../../../missing-thing.tsx'
import { updateWebhookAction } from '../../actions.ts'
import { choices } from '../../choices.ts'
import { webhookOf } from '../../webhook-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Change endpoint', () => webhookOf(id))
}

export default async function EditWebhookPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id } = await params
  const webhook = await webhookOf(id)
  if (webhook === null) return missingThing()
  return (
    <div className="max-w-152">
      <p className="mb-2">
        <a className="prose-link" href={`/portal/webhooks/${id}`}>
          Endpoint
        </a>
      </p>
      <h1 className="mb-2 text-h1 font-semibold tracking-tight">Change endpoint</h1>
      <p className="mb-6 text-pretty text-ink-2">The secret stays. Events that wait already go to the new address.</p>
      <Form action={updateWebhookAction}>
        <input type="hidden" name="id" value={id} />
        <WebhookFields {...choices} chosen={webhook} />
        <SubmitButton>Save endpoint</SubmitButton>
      </Form>
    </div>
  )
}
