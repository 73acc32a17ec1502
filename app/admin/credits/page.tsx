import type { Metadata } from 'next'
import { Proposals } from '#components/admin/adjustments.tsx'
import { WaitingSummary } from '#components/admin/admin-overview.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { adminCaller, currentAdmin, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { decideAction } from './actions.ts'

export const metadata: Metadata = { title: 'Credits' }

type Props = { searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> }

const done: Readonly<Record<string, string>> = { approve: 'Approved. Credits adjusted.', decline: 'Declined. No credits changed.' }

export default async function CreditsPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const search = await searchParams
  const { credits } = (await adminCaller()).admin
  const after = typeof search['after'] === 'string' && /^\d{1,18}$/.test(search['after']) ? search['after'] : null
  const [waiting, page, viewer] = await Promise.all([credits.waiting(), credits.proposals({ after }), currentAdmin()])
  const message = typeof search['done'] === 'string' ? done[search['done']] : undefined
  return (
    <>
      <h1 className="mb-2 text-h1 font-semibold tracking-tight">Credit adjustments to approve</h1>
      <WaitingSummary {...waiting} one="pending proposal" many="pending proposals" />
      {message === undefined ? null : (
        <div className="mb-6">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      <Proposals {...page} viewer={viewer?.publicId ?? ''} action={decideAction} />
    </>
  )
}
