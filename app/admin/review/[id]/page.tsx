import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { CandidatePage } from '#components/admin/review.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Review' }

type Props = { params: Promise<{ id: string }> }

export default async function CandidatePageOf({ params }: Props) {
  const { id: account } = await params
  return adminPage(<CandidatePage account={account} />, (load, { review }) => [
    load(review.read.queryOptions({ account })).then((candidate) => {
      // The account has been approved or declined in the meantime. The account page shows its current state.
      if (candidate === null) redirect(`/admin/accounts/${account}`)
    }),
    load(review.message.queryOptions({ account })),
  ])
}
