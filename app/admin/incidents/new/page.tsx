import type { Metadata } from 'next'
import { ReportIncident } from '#components/admin/incident-forms.tsx'
import { lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Report incident' }

export default async function ReportIncidentPage() {
  if (await lacksAdminAccess()) return null
  return (
    <div className="max-w-152">
      <h1 className="text-h1 font-semibold tracking-tight">Report incident</h1>
      <p className="mt-1 mb-6 text-pretty text-ink-2">
        Published immediately on the status page and in its feed, and emailed to subscribers. You can add updates, but you can’t edit what you’ve published.
      </p>
      <ReportIncident />
    </div>
  )
}
