export type Line = {
  readonly at: string
  readonly kind: string
  readonly credits: number
  readonly balanceCredits: number
  readonly actor: string
  readonly reason: string
  readonly request: string | null
  readonly topUp: string | null
  readonly delivery: string | null
  readonly endpoint: string | null
}

const titles: Readonly<Record<string, string>> = {
  starter: 'Starter credits',
  top_up: 'Top-up',
  charge: 'Call',
  webhook: 'Webhook delivered',
  adjustment: 'Correction',
  reversal: 'Charge given back',
  refund: 'Refund',
  dispute: 'Dispute',
}

/** What a kind of line is called. */
export const kindName = (kind: string): string => titles[kind] ?? kind

/** What a line is called: the call that was charged, else its kind. */
export const lineTitle = ({ kind, endpoint }: Line): string => endpoint ?? kindName(kind)

/** Why, where the title does not say it: a reason that only repeats it is left out. Whole pounds are told as such. */
export function lineReason(line: Line): string | null {
  const reason = line.reason.replace(/\.$/, '').replace(/(?<=£[\d,]+)\.00(?!\d)/, '')
  return reason === '' || reason === lineTitle(line) ? null : reason
}
