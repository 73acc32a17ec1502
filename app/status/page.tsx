import type { Metadata } from 'next'
import { SiteShell } from '#components/site/site-shell.tsx'
import { StatusReport } from '#components/site/status-report.tsx'
import { getCoverage } from '#server/api/documents/markets.ts'
import { serviceStatus } from '#server/api/documents/site/service-status.ts'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = { title: 'Status', description: 'Current state of the service and age of its data.' }

export const dynamic = 'force-dynamic'

export default async function StatusPage() {
  const service = await nextService()
  const now = new Date()
  const { body } = await service.health.ready()
  return (
    <SiteShell current="status">
      <StatusReport
        {...serviceStatus(body, service.docs(), now.getTime())}
        {...getCoverage(service.market())}
        lookedAt={now.toISOString()}
        uptime={body.database ? await service.readings() : null}
      />
    </SiteShell>
  )
}
