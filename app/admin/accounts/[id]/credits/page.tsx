import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { AdjustCredits } from '#components/admin/credits.tsx'
import { adminPage } from '#server/pages/admin/admin-page.tsx'

export const metadata: Metadata = { title: 'Adjust credits' }

type Props = { params: Promise<{ id: string }> }

export default async function AdjustCreditsPage({ params }: Props) {
  const { id: account } = await params
  return adminPage(<AdjustCredits account={account} formKey={randomUUID()} />, (load, { accounts, credits }) => [
    load(accounts.read.queryOptions({ account })),
    load(credits.terms.queryOptions({ account })),
  ])
}
