import { credits, number } from '#components/portal/amounts.ts'
import { Tag, type Tone } from '#components/ui/tag.tsx'

/** A movement with its sign: `+50`, `−50`. */
export const signed = (count: number): string => `${count > 0 ? '+' : ''}${number(count)}`

/** What a button does: `Add 50 credits`. */
export const moveWords = (count: number): string => `${count > 0 ? 'Add' : 'Take'} ${credits(Math.abs(count))}`

/** What will have happened: `Adds 50. New balance 63.` */
export const effectWords = (count: number, balance: number): string =>
  `${count > 0 ? 'Adds' : 'Takes'} ${number(Math.abs(count))}. New balance ${number(balance + count)}.`

export type AdjustmentState = 'waiting' | 'entered' | 'declined' | 'ended'

const tags: Readonly<Record<AdjustmentState, readonly [tone: Tone, word: string]>> = {
  waiting: ['caution', 'Waiting'],
  entered: ['good', 'Entered'],
  declined: ['plain', 'Declined'],
  ended: ['plain', 'Ended'],
}

export function AdjustmentTag({ state }: { state: AdjustmentState }) {
  const [tone, word] = tags[state]
  return <Tag tone={tone}>{word}</Tag>
}
