import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { number } from '../amounts.ts'
import { type TopUpData, TopUpTag } from './top-up-parts.tsx'

type Payment = TopUpData & {
  readonly id: string
  readonly isAutomatic: boolean
  readonly credits: number
  readonly grossPence: number
  readonly createdAt: string
  readonly paidAt: string | null
}

type Props = { payments: readonly Payment[]; nextCursor: string | null; isNewest: boolean }

type Unpaid = { readonly grossPence: number; readonly createdAt: string; readonly url: string }

/** Checkout that was started and can still be paid, with a link to its payment page. */
export function UnpaidCheckout({ grossPence, createdAt, url }: Unpaid) {
  return (
    <div className="mb-6">
      <Notice tone="caution">
        <p>
          You started a payment of {pounds(grossPence)} on <Time at={createdAt} isStop /> but didn't complete it. No credits were added.
        </p>
        <p className="mt-2">
          <a className="prose-link" href={url}>
            Continue to payment
          </a>
        </p>
      </Notice>
    </div>
  )
}

/** An account's payments, newest first, each with a link to its receipt. */
export function PaymentList({ payments, nextCursor, isNewest }: Props) {
  if (payments.length === 0) return <p>No payments yet.</p>
  return (
    <>
      <DataTable
        caption="Payments"
        rows={payments}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Receipt',
            isHead: true,
            cell: ({ id, createdAt, paidAt }) => (
              <a className="prose-link" href={`/portal/billing/top-ups/${id}`}>
                <Time at={paidAt ?? createdAt} look="day" />
              </a>
            ),
          },
          { name: 'Type', cell: ({ isAutomatic }) => (isAutomatic ? 'Automatic' : 'One-off') },
          { name: 'State', isBeside: true, cell: (payment) => <TopUpTag {...payment} /> },
          { name: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
          { name: 'Amount', isNumber: true, cell: ({ grossPence }) => pounds(grossPence) },
        ]}
      />
      <p className="mt-3 flex gap-4 empty:hidden">
        {nextCursor === null ? null : (
          <a className="prose-link" href={`/portal/billing/receipts?before=${nextCursor}`}>
            Older payments
          </a>
        )}
        {isNewest ? null : (
          <a className="prose-link" href="/portal/billing/receipts">
            Newest payments
          </a>
        )}
      </p>
    </>
  )
}
