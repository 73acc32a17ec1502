import type { Metadata } from 'next'
import { cache } from 'react'
import { Receipt } from '#components/portal/billing/receipt.tsx'
import { missingThing, titled } from '#server/pages/missing-thing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ id: string }> }

const topUpOf = cache(async (id: string) => (await portalCaller()).billing.topUp({ id: id.slice(0, 64) }))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Receipt', () => topUpOf(id))
}

export default async function ReceiptPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const topUp = await topUpOf((await params).id)
  if (topUp === null) return missingThing()
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
