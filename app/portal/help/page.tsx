import type { Metadata } from 'next'
import { NewTicket, OwnTickets } from '#components/portal/tickets.tsx'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = { title: 'Contact support' }

export default async function HelpPage() {
  const { ownerEmail: email, isConfirmed } = await signedIn()
  const { supportEmail } = await nextService()
  return (
    <div className="max-w-176">
      <h1 className="text-h1 font-semibold tracking-tight">Contact support</h1>
      <p className="mt-2 mb-6 text-pretty text-ink-2">
        We usually reply within one working day. Replies appear on this page{isConfirmed ? `, and we'll email them to ${email}` : ''}.
        {supportEmail === null ? null : (
          <>
            {' '}
            You can also email{' '}
            <a className="prose-link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>
            .
          </>
        )}
      </p>
      <Prefetched queries={(client, { support }) => [client.prefetchQuery(support.list.queryOptions())]}>
        <NewTicket />
        <section aria-labelledby="messages" className="mt-10">
          <h2 id="messages" className="mb-3 text-h2 font-semibold">
            Your messages
          </h2>
          <OwnTickets />
        </section>
      </Prefetched>
    </div>
  )
}
