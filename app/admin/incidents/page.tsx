import type { Metadata } from 'next'
import { IncidentTable } from '#components/admin/incidents.tsx'
import { Heading } from '#components/admin/kit/layout.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Incidents' }

export default async function IncidentsPage() {
  if (await lacksAdminAccess()) return null
  const incidents = await (await adminCaller()).admin.incidents.list()
  return (
    <>
      <Heading title="Incidents">
        <ButtonLink kind="primary" href="/admin/incidents/new">
          Report incident
        </ButtonLink>
      </Heading>
      <IncidentTable incidents={incidents} />
    </>
  )
}
