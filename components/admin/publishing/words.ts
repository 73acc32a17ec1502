/** `1 account`, `1,204 accounts`. */
export const accountsWords = (count: number): string => (count === 1 ? '1 account' : `${count.toLocaleString('en-GB')} accounts`)

/** How far the mails about something are. */
export type MailProgress = {
  readonly isMade: boolean
  readonly waiting: number
  readonly sent: number
  readonly failed: number
  readonly unsure: number
}

/** Such as `1,200 sent, 3 not taken`. */
export function mailWords(mails: MailProgress | null): string {
  if (mails === null) return 'Nobody was told by email'
  const counts = [
    [mails.sent, 'sent'],
    [mails.waiting, 'waiting'],
    [mails.failed, 'not taken'],
    [mails.unsure, 'cut off, not sent again'],
  ] as const
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString('en-GB')} ${words}`)
  if (!mails.isMade) return [...said, 'more to come'].join(', ')
  return said.length === 0 ? 'None left to count' : said.join(', ')
}
