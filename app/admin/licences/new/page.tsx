import type { Metadata } from 'next'
import { ReasonField } from '#components/admin/publishing/draft-section.tsx'
import { LicenceFields } from '#components/admin/publishing/licence-draft.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import { lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { licenceText } from '#server/pages/licence-page.tsx'
import { beginLicenceAction } from '../actions.ts'

export const metadata: Metadata = { title: 'New version' }

export default async function NewLicencePage() {
  if (await lacksAdminAccess()) return null
  const inForce = await licenceText(null)
  return (
    <div className="max-w-152">
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">New version</h1>
      <p className="mb-6">Starts from the text of the current version, {inForce?.label}.</p>
      <Form action={beginLicenceAction}>
        <LicenceFields text={{ label: '', changes: '', body: inForce?.text ?? '', graceEndsOn: '' }} />
        <ReasonField />
        <SubmitButton>Save and preview</SubmitButton>
      </Form>
    </div>
  )
}
