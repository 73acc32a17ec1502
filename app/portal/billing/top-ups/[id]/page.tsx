import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { Receipt } from '../../../../../components/portal/billing/receipt.tsx'
import { portalCaller, signedIn } from '../../../../portal-caller.ts'

type Props = { params: Promise<{ id: string }> }

const topUpOf = cache(async (id: string) => (await (await portalCaller()).billing.topUp({ id: id.slice(0, 64) })) ?? notFound())

/** Asks for the top-up itself, so that a page that does not exist is known before it is begun and is called so. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const viewer = await signedIn()
  if (viewer.state !== 'blocked') await topUpOf((await params).id)
  return { title: 'Receipt' }
}

export default async function ReceiptPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const topUp = await topUpOf((await params).id)
  const { billing } = await portalCaller()
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
