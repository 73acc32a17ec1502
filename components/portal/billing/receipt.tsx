import { Time } from '#components/data/time.tsx'
import type { BillingDetails } from '#server/api/contract/billing-details.ts'
import { getCountryName } from '#server/api/contract/countries.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import { confirmingText, failedText } from './payment-text.ts'
import { type Price, PriceLines, type TopUpData, TopUpTag } from './top-up-parts.tsx'

export type Bought = Price &
  TopUpData & {
    readonly id: string
    readonly isAutomatic: boolean
    readonly isSimulated: boolean
    readonly createdAt: string
    readonly paidAt: string | null
    readonly failure: string | null
    readonly billedTo: BillingDetails | null
  }

export type Links = { readonly receiptUrl: string | null; readonly invoiceUrl: string | null; readonly invoicePdfUrl: string | null }

const documents = [
  ['receiptUrl', 'Stripe receipt'],
  ['invoiceUrl', 'Stripe invoice'],
  ['invoicePdfUrl', 'Invoice (PDF)'],
] as const

function Documents({ links }: { links: Links }) {
  return (
    <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-2 empty:hidden print:hidden">
      {documents.map(([name, label]) =>
        links[name] === null ? null : (
          <li key={name}>
            <a className="prose-link" href={links[name]} rel="noopener noreferrer">
              {label}
            </a>
          </li>
        ),
      )}
    </ul>
  )
}

/** Describes the dispute, refund, pending confirmation or failure of a payment. Returns null if it succeeded and was not reversed. */
function outcomeText({ refundedCredits, disputedCredits, failure, state }: Bought): string | null {
  if (disputedCredits > 0) return `This payment was disputed with your bank: ${credits(disputedCredits)} deducted from your balance.`
  if (refundedCredits > 0) return `Refunded: ${credits(refundedCredits)} deducted from your balance.`
  if (state === 'paid') return null
  return state === 'pending' ? confirmingText : failedText(failure)
}

/** Name, address and VAT number of the customer. */
function BilledTo({ name, line1, line2, city, postcode, country, vatNumber }: BillingDetails) {
  const lines = { name, line1, line2, city: `${city} ${postcode}`, country: getCountryName(country), vat: vatNumber === '' ? '' : `VAT ${vatNumber}` }
  return Object.entries(lines).map(([line, text]) => (
    <span key={line} className="block empty:hidden">
      {text}
    </span>
  ))
}

/** Receipt of one payment, with links to Stripe's documents. */
export function Receipt({ topUp, papers: links }: { topUp: Bought; papers: Links | 'away' | null }) {
  const outcome = outcomeText(topUp)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight">
          {topUp.isAutomatic ? 'Automatic top-up' : 'Top-up'} of {pounds(topUp.grossPence)}
        </h1>
        <TopUpTag {...topUp} />
      </div>
      {outcome === null ? null : <p className="mb-4 text-pretty">{outcome}</p>}
      <PriceLines {...topUp} />
      <dl className="mt-6 border-t border-line">
        <Fact name={topUp.paidAt === null ? 'Started' : 'Paid'}>
          <Time at={topUp.paidAt ?? topUp.createdAt} isStop />
        </Fact>
        <Fact name="Billed to">
          {topUp.billedTo === null ? <span className="text-ink-2">No billing details when you paid</span> : <BilledTo {...topUp.billedTo} />}
        </Fact>
        <Fact name="Payment ID">
          <code className="font-mono text-table">{topUp.id}</code>
        </Fact>
      </dl>
      {topUp.isSimulated ? <p className="mt-4 text-ink-2">Simulated payment. You were not charged, so there is no receipt from a payment provider.</p> : null}
      {topUp.isAutomatic && topUp.paidAt !== null && !topUp.isSimulated ? (
        <p className="mt-4 text-ink-2">Stripe doesn't issue invoices for automatic top-ups. Use this page or the Stripe receipt as your record.</p>
      ) : null}
      {links === 'away' ? <p className="mt-4 text-ink-2">We can't reach Stripe right now. Try again later for the receipt and invoice.</p> : null}
      {links === null || links === 'away' ? null : <Documents links={links} />}
    </>
  )
}
