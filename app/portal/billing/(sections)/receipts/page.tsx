import type { Metadata } from 'next'
import { BillingDetailsSection } from '#components/portal/billing/billing-details.tsx'
import { PaymentList, UnpaidCheckout } from '#components/portal/billing/payments.tsx'
import { StripeForm } from '#components/portal/billing/stripe-form.tsx'
import { listCountries } from '#server/api/contract/countries.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Receipts and invoices' }

type Query = { before?: string }

export default async function ReceiptsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { state } = await signedIn()
  if (state === 'blocked') return null
  const { before = '' } = await searchParams
  const cursor = /^\d{1,9}$/.test(before) ? before : null
  const { billing } = await portalCaller()
  const [{ mode, vatPercent }, { topUps, unpaid, nextCursor }] = await Promise.all([billing.overview(), billing.topUps({ cursor })])
  const hasStripe = mode === 'live' || mode === 'test'
  return (
    <Prefetched queries={(client, { billing: own }) => [client.prefetchQuery(own.details.queryOptions())]}>
      <section aria-labelledby="payments-title" id="payments">
        <h2 id="payments-title" className="text-h2 font-semibold">
          Receipts and invoices
        </h2>
        <p className="mt-1 mb-4 text-note text-ink-2">
          Every payment has a receipt. Payments at checkout also have an invoice; automatic top-ups only have a receipt.
        </p>
        {unpaid === null ? null : <UnpaidCheckout {...unpaid} />}
        <PaymentList payments={topUps} nextCursor={nextCursor} isNewest={cursor === null} />
        {hasStripe && topUps.length > 0 ? (
          <div className="mt-6">
            <StripeForm />
          </div>
        ) : null}
      </section>
      <BillingDetailsSection countries={listCountries()} vatPercent={vatPercent} />
    </Prefetched>
  )
}
