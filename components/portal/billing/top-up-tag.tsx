import { Tag } from '#components/ui/tag.tsx'

export type TopUpData = {
  readonly state: 'open' | 'pending' | 'paid' | 'failed' | 'expired'
  readonly refundedCredits: number
  readonly disputedCredits: number
}

/** State of a payment as a tag. */
export function TopUpTag({ state, refundedCredits, disputedCredits }: TopUpData) {
  if (disputedCredits > 0) return <Tag tone="danger">Disputed</Tag>
  if (refundedCredits > 0) return <Tag tone="caution">Refunded</Tag>
  if (state === 'paid') return <Tag tone="good">Paid</Tag>
  if (state === 'pending') return <Tag tone="caution">Pending</Tag>
  return state === 'open' ? <Tag tone="plain">Not paid yet</Tag> : <Tag tone="danger">{state === 'failed' ? 'Failed' : 'Expired'}</Tag>
}
