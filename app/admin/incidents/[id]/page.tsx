import type { Metadata } from 'next'
import { UpdateIncident } from '#components/admin/incident-forms.tsx'
import { Heading, Section } from '#components/admin/kit/layout.tsx'
import { IncidentCard } from '#components/site/incident-list.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'

export const metadata: Metadata = { title: 'Incident' }

export default async function IncidentPage({ params }: { params: Promise<{ id: string }> }) {
  if (await lacksAdminAccess()) return null
  const [{ id }, { admin }] = [await params, await adminCaller()]
  const incident = await found(admin.incidents.read({ id }))
  if (incident === null) return missingThing()
  return (
    <>
      <Heading title="Incident" back={{ href: '/admin/incidents', name: 'Incidents' }} />
      <p className="text-ink-2">
        As shown on the{' '}
        <a className="prose-link" href={`/status#${id}`}>
          status page
        </a>
        .
      </p>
      <div className="mt-4 border-t border-line-strong">
        <IncidentCard incident={incident} headingLevel={2} />
      </div>
      <div className="max-w-152">
        <Section id="update" title={incident.resolvedAt === null ? 'Add an update' : 'Resolved'}>
          <UpdateIncident id={id} impact={incident.impact} state={incident.updates[0]?.state ?? 'investigating'} isResolved={incident.resolvedAt !== null} />
        </Section>
      </div>
    </>
  )
}
