import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { TopUp } from '#components/portal/billing/top-up.tsx'
import { firstAmount } from '#components/portal/billing/top-up-amounts.ts'
import { PageHead } from '#components/ui/page-head.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { operations } from '#server/api/documents/catalogue.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Top up' }

type Props = { searchParams: Promise<{ amount?: string; card?: string }> }

const creditsPerRate = operations.find(({ id }) => id === 'rates.list')?.price.credits ?? 1

export default async function TopUpPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { account, billing } = await portalCaller()
  const [overview, { creditsPerDay }] = await Promise.all([billing.overview(), account.overview()])
  const pace = { creditsPerRate, creditsPerDay }
  const { amount = pounds(firstAmount(pace)).replace('£', ''), card } = await searchParams
  return (
    <>
      <PageHead title="Top up" parent={{ href: '/portal/billing', name: 'Billing' }} />
      <TopUp
        overview={overview}
        pace={pace}
        amount={amount.slice(0, 20)}
        startsSaving={card === 'save'}
        isConfirmed={viewer.isConfirmed}
        purchaseKey={randomUUID()}
      />
    </>
  )
}
