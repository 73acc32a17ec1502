import type { Metadata } from 'next'
import { cache } from 'react'
import { Receipt } from '#components/portal/billing/receipt.tsx'
import { missingThing, titled } from '#server/pages/missing.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

type Props = { params: Promise<{ id: string }> }

const getTopUp = cache(async (id: string) => (await portalCaller()).billing.topUp({ id: id.slice(0, 64) }))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params
  return titled('Receipt', () => getTopUp(id))
}

export default async function ReceiptPage({ params }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const topUp = await getTopUp((await params).id)
  if (topUp === null) return missingThing()
  const { billing } = await portalCaller()
  // Errors from Stripe are logged; our own receipt is shown regardless.
  const papers = topUp.state === 'paid' ? await billing.paymentLinks({ id: topUp.id }).catch(() => 'away' as const) : null
  return (
    <div className="max-w-120">
      <p className="mb-2 print:hidden">
        <a className="prose-link" href="/portal/billing/receipts">
          Receipts
        </a>
      </p>
      <Receipt topUp={topUp} papers={papers} />
    </div>
  )
}
