import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SimulatedCheckout } from '#components/portal/simulated-checkout.tsx'
import { NotFoundContent } from '#components/site/fault-pages.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { isCurrentRequestLocal } from '#server/auth/current-request.ts'
import { missing } from '#server/pages/missing.tsx'
import { nextService } from '#server/runtime/next-service.ts'

export const metadata: Metadata = { title: 'Simulated checkout', robots: { index: false } }

type Props = { params: Promise<{ topUpId: string }>; searchParams: Promise<{ declined?: string }> }

export default async function SimulatedCheckoutPage({ params, searchParams }: Props) {
  const { topUpId } = await params
  const found = (await isCurrentRequestLocal()) ? await (await nextService()).simulatedCheckout.read(topUpId) : null
  if (found === null)
    return missing(
      <SiteShell>
        <NotFoundContent />
      </SiteShell>,
    )
  const { topUp, returnUrl } = found
  if (topUp.state !== 'open') redirect(returnUrl)
  return (
    <SiteShell>
      <div className="mx-auto max-w-104">
        <SimulatedCheckout {...topUp} action={`/simulated-checkout/${topUp.id}/choose`} isDeclined={(await searchParams).declined !== undefined} />
      </div>
    </SiteShell>
  )
}
