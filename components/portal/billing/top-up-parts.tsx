import type { ReactNode } from 'react'
import { Tag } from '#components/ui/tag.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits } from '../amounts.ts'

export type Price = {
  readonly credits: number
  readonly netPence: number
  readonly vatPence: number
  readonly grossPence: number
  readonly vatPercent: number | null
}

/** Line of a price: what it is for, and the amount. */
export function PriceLine({ name, isTotal = false, children }: { name: string; isTotal?: boolean; children: ReactNode }) {
  return (
    <div className={`flex justify-between gap-6 py-1.75 ${isTotal ? 'border-t border-line-strong font-semibold' : ''}`}>
      <dt>{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

/** Price lines: net, VAT and total if VAT applies, else one line. */
export function PriceLines({ credits: count, netPence, vatPence, grossPence, vatPercent }: Price) {
  if (vatPercent === null)
    return (
      <dl className="border-t border-line">
        <PriceLine name={credits(count)} isTotal>
          {pounds(grossPence)}
        </PriceLine>
      </dl>
    )
  return (
    <dl className="border-t border-line">
      <PriceLine name={`${credits(count)}, excluding VAT`}>{pounds(netPence)}</PriceLine>
      <PriceLine name={`VAT at ${vatPercent}%`}>{pounds(vatPence)}</PriceLine>
      <PriceLine name="Total" isTotal>
        {pounds(grossPence)}
      </PriceLine>
    </dl>
  )
}

export type TopUpData = {
  readonly state: 'open' | 'pending' | 'paid' | 'failed' | 'expired'
  readonly refundedCredits: number
  readonly disputedCredits: number
}

/** Tag with a payment's state. */
export function TopUpTag({ state, refundedCredits, disputedCredits }: TopUpData) {
  if (disputedCredits > 0) return <Tag tone="danger">Disputed</Tag>
  if (refundedCredits > 0) return <Tag tone="caution">Refunded</Tag>
  if (state === 'paid') return <Tag tone="good">Paid</Tag>
  if (state === 'pending') return <Tag tone="caution">Pending</Tag>
  return state === 'open' ? <Tag tone="plain">Not paid yet</Tag> : <Tag tone="danger">{state === 'failed' ? 'Failed' : 'Expired'}</Tag>
}
