import type { Metadata } from 'next'
import { ChangeLists } from '#components/admin/publishing/draft-lists.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Changelog' }

export default async function AdminChangelogPage() {
  if (await lacksAdminAccess()) return null
  const lists = await (await adminCaller()).admin.changelog.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Changelog</h1>
      <ButtonLink kind="primary" href="/admin/changelog/new">
        New entry
      </ButtonLink>
      <ChangeLists {...lists} />
    </>
  )
}
