import type { Metadata } from 'next'
import { Heading } from '#components/admin/kit/layout.tsx'
import { TicketTable } from '#components/admin/support-tickets.tsx'
import { type TicketState, ticketStates } from '#server/api/contract/support.ts'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Support' }

type Props = { searchParams: Promise<{ state?: string; after?: string }> }

const names = { open: 'Waiting', answered: 'Answered', closed: 'Closed' } as const satisfies Record<TicketState, string>

export default async function SupportPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const { state: asked, after } = await searchParams
  const state = ticketStates.find((one) => one === asked) ?? 'open'
  const isPlace = typeof after === 'string' && /^tic_[0-9A-Za-z]{1,60}$/.test(after)
  const { tickets, next } = await (await adminCaller()).admin.support.list({ state, after: isPlace ? after : null })
  return (
    <>
      <Heading title="Support" />
      <nav aria-label="State" className="mb-6 flex gap-6">
        {ticketStates.map((one) => (
          <a
            key={one}
            href={`/admin/support?state=${one}`}
            aria-current={one === state ? 'page' : undefined}
            className="prose-link aria-[current=page]:font-semibold"
          >
            {names[one]}
          </a>
        ))}
      </nav>
      <TicketTable tickets={tickets} nextHref={next === null ? null : `/admin/support?state=${state}&after=${next}`} />
    </>
  )
}
