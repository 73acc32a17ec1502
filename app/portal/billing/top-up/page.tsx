import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { TopUp } from '#components/portal/billing/top-up.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { operations } from '#server/api/documents/catalogue.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Top up' }

type Props = { searchParams: Promise<{ amount?: string }> }

const creditsPerRate = operations.find(({ id }) => id === 'rates.list')?.price.credits ?? 1
const defaultAmount = '20'

export default async function TopUpPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { account, billing } = await portalCaller()
  const [overview, { creditsPerDay }] = await Promise.all([billing.overview(), account.overview()])
  const { amount = defaultAmount } = await searchParams
  return (
    <div className="max-w-240">
      <PageHead title="Top up" parent={{ href: '/portal/billing', name: 'Billing' }} />
      <TopUp
        overview={overview}
        pace={{ creditsPerRate, creditsPerDay }}
        amount={amount.slice(0, 20)}
        isConfirmed={viewer.isConfirmed}
        purchaseKey={randomUUID()}
      />
    </div>
  )
}
