import type { Metadata } from 'next'
import { SiteShell } from '#components/site/site-shell.tsx'
import { StatusReport } from '#components/site/status-report.tsx'
import { getCoverage } from '#server/api/documents/markets.ts'
import { dataFreshness, serviceStatus } from '#server/api/documents/site/service-status.ts'
import { nextService } from '#server/runtime/next-service.ts'

const feed = '/status.xml'

export const metadata: Metadata = {
  title: 'Status',
  description: 'Service status, incidents, uptime and data freshness.',
  alternates: { types: { 'application/atom+xml': feed } },
}

export const dynamic = 'force-dynamic'

export default async function StatusPage() {
  const service = await nextService()
  const now = new Date()
  const { body } = await service.health.ready()
  const [uptime, incidents, latency] = body.database ? await Promise.all([service.readings(), service.incidents(), service.latency()]) : [null, [], null]
  return (
    <SiteShell current="status">
      <StatusReport
        {...serviceStatus(body, incidents)}
        {...dataFreshness(service.docs(), now.getTime())}
        {...getCoverage(service.market())}
        lookedAt={now.toISOString()}
        uptime={uptime}
        incidents={incidents}
        latency={latency}
        feed={feed}
      />
    </SiteShell>
  )
}
