import type { Metadata } from 'next'
import { AdminOverview } from '#components/admin/admin-overview.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Admin' }

export default async function AdminPage() {
  if (await lacksAdminAccess()) return null
  const waiting = await (await adminCaller()).admin.now.list()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">To do</h1>
      <AdminOverview waiting={waiting} />
    </>
  )
}
