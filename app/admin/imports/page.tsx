import type { Metadata } from 'next'
import { ImportTable, Morning, SourceTable } from '#components/admin/market/imports.tsx'
import { AdminSection, AdminTitle } from '#components/admin/section.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Imports' }

export default async function ImportsPage() {
  if (await lacksAdminAccess()) return null
  const { since, sources, imports } = await (await adminCaller()).admin.imports.morning()
  return (
    <>
      <AdminTitle>Imports</AdminTitle>
      <Morning since={since} sources={sources} lastImport={imports[0]?.at ?? null} />
      <AdminSection id="sources" title="Sources">
        <SourceTable sources={sources} />
      </AdminSection>
      <AdminSection id="imports" title="Recent imports">
        <ImportTable imports={imports} />
      </AdminSection>
    </>
  )
}
