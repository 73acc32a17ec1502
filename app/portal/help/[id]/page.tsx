import type { Metadata } from 'next'
import { OwnTicket } from '#components/portal/tickets.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Message to support' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ done?: string }> }

export default async function TicketPage({ params, searchParams }: Props) {
  await signedIn()
  const [{ id }, { done }] = [await params, await searchParams]
  const ticket = await found((await portalCaller()).support.read({ id }))
  if (ticket === null) return missingThing()
  return (
    <div className="max-w-176">
      <BackLink href="/portal/help" name="Contact support" />
      <Prefetched queries={(client, { support }) => [client.prefetchQuery({ ...support.read.queryOptions({ id }), initialData: ticket })]}>
        <OwnTicket id={id} isSent={done === 'sent'} />
      </Prefetched>
    </div>
  )
}
