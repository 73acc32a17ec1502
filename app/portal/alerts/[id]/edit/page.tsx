import type { Metadata } from 'next'
import { EditAlertForm } from '#components/portal/alerts/alert-forms.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { alertChoices, getAlert, typedValues } from '#server/pages/alert-pages.ts'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Edit alert', () => getAlert(id))
}

export default async function EditAlertPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id } = await params
  const alert = await getAlert(id)
  if (alert === null) return missingThing()
  return (
    <div className="max-w-304">
      <PageHead title="Edit alert" parent={{ href: `/portal/alerts/${id}`, name: 'Alert' }} />
      <p className="mb-6 text-pretty text-ink-2">If you change what this alert tracks, it only reports changes from then on.</p>
      <EditAlertForm id={id} choices={alertChoices} chosen={typedValues(alert)} />
    </div>
  )
}
