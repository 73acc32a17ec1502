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
  reversal: 'Charge reversed',
  refund: 'Refund',
  dispute: 'Dispute',
}

/** Display name of a kind of line. */
export const kindName = (kind: string): string => titles[kind] ?? kind

/** Title of a line: the endpoint that was charged, else its kind. */
export const lineTitle = ({ kind, endpoint }: Line): string => endpoint ?? kindName(kind)

/** Reason of a line, or null if it only repeats the title. Drops the pence of whole pounds. */
export function lineReason(line: Line): string | null {
  const reason = line.reason.replace(/\.$/, '').replace(/(?<=£[\d,]+)\.00(?!\d)/, '')
  return reason === '' || reason === lineTitle(line) ? null : reason
}
