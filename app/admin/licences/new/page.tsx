import type { Metadata } from 'next'
import { NewLicence } from '#components/admin/publishing/licences.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'
import { licenceText } from '#server/pages/licence-page.tsx'

export const metadata: Metadata = { title: 'New version' }

export default async function NewLicencePage() {
  const current = await licenceText(null)
  return adminPage(<NewLicence label={current?.label ?? ''} body={current?.text ?? ''} />)
}
