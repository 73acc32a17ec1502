import type { Metadata } from 'next'
import { ChangeFields } from '#components/admin/publishing/change-draft.tsx'
import { ReasonField } from '#components/admin/publishing/draft-section.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import { lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { beginChangeAction } from '../actions.ts'

export const metadata: Metadata = { title: 'New entry' }

export default async function NewChangePage() {
  if (await lacksAdminAccess()) return null
  return (
    <div className="max-w-152">
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">New entry</h1>
      <Form action={beginChangeAction}>
        <ChangeFields />
        <ReasonField />
        <SubmitButton>Save and preview</SubmitButton>
      </Form>
    </div>
  )
}
