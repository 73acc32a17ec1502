import type { Metadata } from 'next'
import { DeskTitle } from '#components/admin/desk-title.tsx'
import { TrafficPart } from '#components/admin/service/traffic.tsx'
import { ChecksPart, DatabasePart, JobsPart, QueuesPart } from '#components/admin/service/work.tsx'
import { deskCaller, isDeskShut } from '#server/pages/admin-caller.ts'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  if (await isDeskShut()) return null
  const { traffic, mail, webhooks, checks, jobs, database } = await (await deskCaller()).admin.boards.service()
  const now = new Date()
  return (
    <>
      <DeskTitle>Service</DeskTitle>
      <TrafficPart traffic={traffic} now={now} />
      <QueuesPart mail={mail} webhooks={webhooks} now={now} />
      <ChecksPart checks={checks} />
      <JobsPart jobs={jobs} now={now} />
      <DatabasePart database={database} />
    </>
  )
}
