import type { Metadata } from 'next'
import { doneMessages } from '#components/admin/action-messages.ts'
import { CandidateTable } from '#components/admin/candidates.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'

export const metadata: Metadata = { title: 'Review' }

type Props = { searchParams: Promise<{ after?: string; done?: string }> }

export default async function ReviewPage({ searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const { after, done } = await searchParams
  const isPlace = typeof after === 'string' && /^acc_[0-9A-Za-z]{1,60}$/.test(after)
  const { candidates, next } = await (await adminCaller()).admin.review.queue({ after: isPlace ? after : null })
  const message = typeof done === 'string' ? doneMessages[done] : undefined
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Review</h1>
      {message === undefined ? null : (
        <div role="status" className="mb-6">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      <CandidateTable candidates={candidates} next={next} />
    </>
  )
}
