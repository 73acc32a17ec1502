import { Time } from '#components/data/time.tsx'
import { pounds } from '#server/api/contract/top-ups.ts'
import { credits } from '../amounts.ts'
import { Fact } from '../fact.tsx'
import { type Price, PriceLines } from './price-lines.tsx'
import { type TopUpFacts, TopUpTag } from './top-up-tag.tsx'

export type Bought = Price &
  TopUpFacts & {
    readonly id: string
    readonly isAutomatic: boolean
    readonly isSimulated: boolean
    readonly createdAt: string
    readonly paidAt: string | null
    readonly failure: string | null
  }

export type Links = { readonly receiptUrl: string | null; readonly invoiceUrl: string | null; readonly invoicePdfUrl: string | null }

const papers = [
  ['receiptUrl', 'Receipt at Stripe'],
  ['invoiceUrl', 'Invoice at Stripe'],
  ['invoicePdfUrl', 'Invoice as PDF'],
] as const

function Papers({ links }: { links: Links }) {
  return (
    <ul className="mt-6 flex flex-wrap gap-x-6 gap-y-2 empty:hidden print:hidden">
      {papers.map(([name, words]) =>
        links[name] === null ? null : (
          <li key={name}>
            <a className="prose-link" href={links[name]} rel="noopener noreferrer">
              {words}
            </a>
          </li>
        ),
      )}
    </ul>
  )
}

/** What happened to a payment after it. */
function fateOf({ refundedCredits, disputedCredits, failure, state }: Bought): string | null {
  if (disputedCredits > 0) return `Your bank disputes this payment: ${credits(disputedCredits)} are taken off your balance.`
  if (refundedCredits > 0) return `Refunded: ${credits(refundedCredits)} were taken off your balance.`
  if (state === 'paid') return null
  return state === 'pending'
    ? 'Your bank is still confirming. We will email you. Do not pay again.'
    : `No payment was taken.${failure === null ? '' : ` ${failure}`}`
}

/** One payment: what was paid, what it bought, and its papers. */
export function Receipt({ topUp, papers: links }: { topUp: Bought; papers: Links | 'away' | null }) {
  const fate = fateOf(topUp)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight">
          {topUp.isAutomatic ? 'Automatic top-up' : 'Top-up'} of {pounds(topUp.grossPence)}
        </h1>
        <TopUpTag {...topUp} />
      </div>
      {fate === null ? null : <p className="mb-4 text-pretty">{fate}</p>}
      <PriceLines {...topUp} />
      <dl className="mt-6 border-t border-line">
        <Fact name={topUp.paidAt === null ? 'Begun' : 'Paid'}>
          <Time at={topUp.paidAt ?? topUp.createdAt} isStop />
        </Fact>
        <Fact name="Number">
          <code className="font-mono text-table">{topUp.id}</code>
        </Fact>
      </dl>
      {topUp.isSimulated ? <p className="mt-4 text-ink-2">Simulated: no money moved, so there is no receipt from a payment provider.</p> : null}
      {topUp.isAutomatic && topUp.paidAt !== null && !topUp.isSimulated ? (
        <p className="mt-4 text-ink-2">Stripe makes no invoice for a saved card that is charged by itself. This page and the receipt say what was paid.</p>
      ) : null}
      {links === 'away' ? <p className="mt-4 text-ink-2">Stripe does not answer right now: look for its receipt and invoice again later.</p> : null}
      {links === null || links === 'away' ? null : <Papers links={links} />}
    </>
  )
}
