import { credits, number } from '#components/portal/amounts.ts'
import { Tag, type Tone } from '#components/ui/tag.tsx'

/** Formats an amount with its sign: `+50`, `−50`. */
export const signed = (count: number): string => `${count > 0 ? '+' : ''}${number(count)}`

/** Returns a button label: `Add 50 credits`, `Deduct 50 credits`. */
export const adjustmentLabel = (count: number): string => `${count > 0 ? 'Add' : 'Deduct'} ${credits(Math.abs(count))}`

/** Describes the effect: `Adds 50. New balance 63.` */
export const adjustmentEffect = (count: number, balance: number): string =>
  `${count > 0 ? 'Adds' : 'Deducts'} ${number(Math.abs(count))}. New balance ${number(balance + count)}.`

export type AdjustmentState = 'waiting' | 'entered' | 'declined' | 'ended'

const tags: Readonly<Record<AdjustmentState, readonly [tone: Tone, word: string]>> = {
  waiting: ['caution', 'Pending'],
  entered: ['good', 'Applied'],
  declined: ['plain', 'Declined'],
  ended: ['plain', 'Expired'],
}

export function AdjustmentTag({ state }: { state: AdjustmentState }) {
  const [tone, word] = tags[state]
  return <Tag tone={tone}>{word}</Tag>
}
