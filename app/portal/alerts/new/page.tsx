import type { Metadata } from 'next'
import { NewAlertForm } from '#components/portal/alerts/alert-forms.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { alertChoices, newAlertValues } from '#server/pages/alert-pages.ts'
import { signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Create alert' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

export default async function NewAlertPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const chosen = await newAlertValues((await searchParams)['example'])
  return (
    <div className="max-w-304">
      <PageHead title="Create alert" parent={{ href: '/portal/alerts', name: 'Alerts' }} />
      <NewAlertForm choices={alertChoices} chosen={chosen} />
    </div>
  )
}
