import type { Metadata } from 'next'
import { AdminTitle } from '#components/admin/section.tsx'
import { ChecksSection, DatabaseSection, JobsSection, QueuesSection, TrafficSection } from '#components/admin/service/service-sections.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  if (await lacksAdminAccess()) return null
  const { traffic, mail, webhooks, checks, jobs, database } = await (await adminCaller()).admin.boards.service()
  const now = new Date()
  return (
    <>
      <AdminTitle>Service</AdminTitle>
      <TrafficSection traffic={traffic} now={now} />
      <QueuesSection mail={mail} webhooks={webhooks} now={now} />
      <ChecksSection checks={checks} />
      <JobsSection jobs={jobs} now={now} />
      <DatabaseSection database={database} />
    </>
  )
}
