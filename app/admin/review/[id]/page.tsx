import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { CandidatePage } from '#components/admin/candidate-page.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { adminNotFound } from '#server/pages/missing.tsx'
import { approveCandidateAction, declineCandidateAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Review' }

type Props = { params: Promise<{ id: string }> }

export default async function CandidatePageOf({ params }: Props) {
  if (await lacksAdminAccess()) return null
  const { id: account } = await params
  const caller = await adminCaller()
  const read = await found(caller.admin.review.read({ account }).then((candidate) => ({ candidate })))
  if (read === null) return adminNotFound()
  // The account has been approved or declined in the meantime. The account page shows its current state.
  if (read.candidate === null) redirect(`/admin/accounts/${account}`)
  const message = await caller.admin.review.message({ account, customerMessage: null })
  return <CandidatePage candidate={read.candidate} message={message} approve={approveCandidateAction} decline={declineCandidateAction} />
}
