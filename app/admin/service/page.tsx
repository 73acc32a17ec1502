import type { Metadata } from 'next'
import { AdminTitle } from '#components/admin/admin-title.tsx'
import { TrafficPart } from '#components/admin/service/traffic.tsx'
import { ChecksPart, DatabasePart, JobsPart, QueuesPart } from '#components/admin/service/work.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  if (await lacksAdminAccess()) return null
  const { traffic, mail, webhooks, checks, jobs, database } = await (await adminCaller()).admin.boards.service()
  const now = new Date()
  return (
    <>
      <AdminTitle>Service</AdminTitle>
      <TrafficPart traffic={traffic} now={now} />
      <QueuesPart mail={mail} webhooks={webhooks} now={now} />
      <ChecksPart checks={checks} />
      <JobsPart jobs={jobs} now={now} />
      <DatabasePart database={database} />
    </>
  )
}
