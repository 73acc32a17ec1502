'use client'

import { Time } from '#components/data/time.tsx'
import { TopUpTag } from '#components/portal/billing/top-up-parts.tsx'
import { unknownCharge } from '#server/api/contract/billing-notices.ts'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { type AdminColumn, AdminTable } from './kit/admin-table.tsx'
import { Code, type Outputs } from './kit/layout.tsx'

type Payment = Outputs['accounts']['payments'][number]

/** Explains why a started checkout or charge has not been paid. */
const describeOpen = ({ state, origin, expiresAt }: Payment): string =>
  origin === 'auto'
    ? 'Started automatically. The card hasn’t been charged yet.'
    : `Started but not paid. The checkout ${state === 'expired' || (expiresAt !== null && expiresAt < new Date()) ? 'has expired' : 'is still open'}.`

const describePaid = ({ enteredCredits, refundedCredits, disputedCredits }: Payment): string => {
  if (disputedCredits > 0) return 'Paid, then disputed with the bank.'
  if (refundedCredits > 0) return 'Paid, then refunded.'
  return enteredCredits > 0 ? 'Paid, and the credits were added.' : 'Paid. The credits are being added.'
}

/** Explains the state of a payment, for replies to the customer. */
const stories: Readonly<Record<Payment['state'], (payment: Payment) => string>> = {
  open: describeOpen,
  expired: describeOpen,
  pending: () => 'Submitted. The credits will be added once the bank confirms the payment.',
  failed: ({ failure }) => `Failed${failure === null ? '.' : `: ${failure}`}${failure === unknownCharge ? '' : ' No money was taken.'}`,
  paid: describePaid,
}

const modes = { live: 'Stripe', test: 'Stripe test mode', simulated: 'Simulated' } as const

const columns: readonly AdminColumn<Payment>[] = [
  { name: 'When', isHead: true, cell: ({ paidAt, createdAt }) => <Time at={paidAt ?? createdAt} />, sort: ({ createdAt }) => createdAt.getTime() },
  { name: 'Amount', isNumber: true, cell: ({ amountPence }) => pounds(amountPence), sort: ({ amountPence }) => amountPence },
  { name: 'State', isBeside: true, cell: (payment) => <TopUpTag {...payment} /> },
  { name: 'What happened', cell: (payment) => <span className="wrap-break-word">{stories[payment.state](payment)}</span> },
  { name: 'Origin', cell: ({ origin, mode }) => `${origin === 'auto' ? 'Automatic' : 'Checkout'}, ${modes[mode]}` },
  { name: 'Reference', cell: ({ reference, id }) => <Code>{reference ?? id}</Code> },
]

/** Top-ups of an account in every state, recent failures first, each with an explanation for support. */
export function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  return (
    <AdminTable caption="Payments, recent failures first" rows={payments} rowKey={({ id }) => id} columns={columns} empty="No payments or payment attempts." />
  )
}
