import type { Metadata } from 'next'
import { IncidentTable } from '#components/admin/incidents.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Incidents' }

export default async function IncidentsPage() {
  if (await lacksAdminAccess()) return null
  const incidents = await (await adminCaller()).admin.incidents.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Incidents</h1>
      <ButtonLink kind="primary" href="/admin/incidents/new">
        Open incident
      </ButtonLink>
      <IncidentTable incidents={incidents} />
    </>
  )
}
