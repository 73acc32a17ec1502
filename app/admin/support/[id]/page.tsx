import type { Metadata } from 'next'
import { AdminTicket } from '#components/admin/support-tickets.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Message to support' }

export default async function TicketPage({ params }: { params: Promise<{ id: string }> }) {
  if (await lacksAdminAccess()) return null
  const { id } = await params
  const ticket = await found((await adminCaller()).admin.support.read({ id }))
  if (ticket === null) return missingThing()
  return (
    <Prefetched queries={(client, { admin }) => [client.prefetchQuery({ ...admin.support.read.queryOptions({ id }), initialData: ticket })]}>
      <AdminTicket id={id} />
    </Prefetched>
  )
}
