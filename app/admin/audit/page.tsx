import type { Metadata } from 'next'
import { AuditFilters, AuditTable } from '#components/admin/audit.tsx'
import { auditHref, isNarrowed, readAuditView } from '#components/admin/audit-view.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

export default async function AuditPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const search = await searchParams
  const view = readAuditView(search)
  const cursor = typeof search['cursor'] === 'string' && /^\d{1,18}_\d{1,18}$/.test(search['cursor']) ? search['cursor'] : null
  const { audit } = (await adminCaller()).admin
  const [{ lines, next }, actions] = await Promise.all([audit.list({ ...view, cursor }), audit.actions()])
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Audit log</h1>
      <AuditFilters view={view} actions={actions} />
      <AuditTable lines={lines} older={next === null ? null : auditHref('/admin/audit', view, next)} isFound={isNarrowed(view)} />
    </>
  )
}
