/** Formats a count: `1 account`, `1,204 accounts`. */
export const accountCount = (count: number): string => (count === 1 ? '1 account' : `${count.toLocaleString('en-GB')} accounts`)

/** Progress of a bulk email. */
export type EmailProgress = {
  readonly isMade: boolean
  readonly waiting: number
  readonly sent: number
  readonly failed: number
  readonly unsure: number
}

/** Formats progress, such as `1,200 sent, 3 failed`. */
export function emailProgress(mails: EmailProgress | null): string {
  if (mails === null) return 'No emails'
  const counts = [
    [mails.sent, 'sent'],
    [mails.waiting, 'waiting'],
    [mails.failed, 'failed'],
    [mails.unsure, 'interrupted, not retried'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, label]) => `${count.toLocaleString('en-GB')} ${label}`)
  if (!mails.isMade) return [...parts, 'more being queued'].join(', ')
  return parts.length === 0 ? 'No longer counted' : parts.join(', ')
}
