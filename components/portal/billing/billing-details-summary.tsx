import { ChangeLink } from '#components/ui/change-link.tsx'
import type { BillingDetails } from '#server/api/contract/billing-details.ts'

/** Billing details in brief, with a link to the form that changes them. */
export function BillingDetailsSummary({ details }: { details: BillingDetails | null }) {
  return (
    <section aria-labelledby="billing-details" className="flex flex-col items-start justify-between gap-4 rounded-panel border border-line px-5 py-4">
      <div className="min-w-0">
        <h2 id="billing-details" className="text-h2 font-semibold">
          Billing details
        </h2>
        {details === null ? (
          <p className="mt-1 text-pretty text-ink-2">None yet. Add your company, address and VAT number for receipts.</p>
        ) : (
          <p className="mt-1 wrap-anywhere text-ink-2">
            {details.name}
            {details.vatNumber === '' ? null : <span className="block">VAT number {details.vatNumber}</span>}
          </p>
        )}
      </div>
      <ChangeLink kind="second" size="compact" href="/portal/billing/receipts#details">
        {details === null ? (
          'Add billing details'
        ) : (
          <>
            Edit<span className="sr-only"> billing details</span>
          </>
        )}
      </ChangeLink>
    </section>
  )
}
