import type { Metadata } from 'next'
import { LicenceLists } from '#components/admin/publishing/draft-lists.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Licences' }

export default async function LicencesPage() {
  if (await lacksAdminAccess()) return null
  const lists = await (await adminCaller()).admin.licences.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Licences</h1>
      <ButtonLink kind="primary" href="/admin/licences/new">
        New version
      </ButtonLink>
      <LicenceLists {...lists} />
    </>
  )
}
