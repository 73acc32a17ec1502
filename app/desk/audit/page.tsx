import type { Metadata } from 'next'
import { AuditTable } from '../../../components/admin/audit-table.tsx'
import { deskCaller, isDeskShut } from '../../desk-caller.ts'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<{ before?: string }> }

export default async function AuditPage({ searchParams }: Props) {
  if (await isDeskShut()) return null
  const { before } = await searchParams
  const desk = await deskCaller()
  const { lines, next } = await desk.admin.audit.list({ before: before !== undefined && /^\d{1,18}$/.test(before) ? before : null })
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Audit log</h1>
      <AuditTable lines={lines} older={next === null ? null : `/admin/audit?before=${next}`} />
    </>
  )
}
