import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Receipt } from '../../../../../components/portal/billing/receipt.tsx'
import { portalCaller, signedIn } from '../../../../portal-caller.ts'

export const metadata: Metadata = { title: 'Receipt' }

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { id } = await params
  const { billing } = await portalCaller()
  const topUp = await billing.topUp({ id: id.slice(0, 64) })
  if (topUp === null) notFound()
  // What went wrong with Stripe is in the log; the receipt itself is ours and is shown all the same.
  const papers = topUp.state === 'paid' ? await billing.paymentLinks({ id: topUp.id }).catch(() => 'away' as const) : null
  return (
    <div className="max-w-120">
      <p className="mb-2 print:hidden">
        <a className="prose-link" href="/portal/billing">
          Billing
        </a>
      </p>
      <Receipt topUp={topUp} papers={papers} />
    </div>
  )
}
