import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import type { Letter } from './letter.ts'
import type { LetterContext } from './letters/account-letters.ts'
import { claimMail, countSent, finishMail, forgetMails, type MailEnd, type MailRow, markHanded, retryMail } from './mail.store.ts'
import type { LetterWriters } from './mail.ts'
import { setOffByStrangers, waitedForShortly } from './mail-kinds.ts'
import { setLetter } from './set-letter.ts'
import type { MailTransport } from './transport.ts'

/** Longer than all time limits of an attempt together: whoever still holds a mail after that is dead. */
const leaseSeconds = 90
const mostAttempts = 10
const mostAnHour = 5
const recentSeconds = 600
/** Longer than a mail is tried for. */
const mostWaitedSeconds = 24 * 3_600
/** Mails of mailings that a process sends at the same time, beside those that somebody waits for. */
const lanes = 4

/** Waits between attempts: 15 s, 30 s, 1 min … up to an hour. In all a mail server may be away for about two hours. */
const waitSeconds = (attempts: number): number => Math.min(3_600, 15 * 2 ** (attempts - 1))

export type MailSending = {
  readonly pool: Pool
  readonly transport: MailTransport
  readonly writers: LetterWriters
  readonly publicUrl: string
  readonly log: Log
}

/** What a mail server said, without the address and the words of the letter that some of them repeat. */
function faultOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.length > 0 ? parts.join(' ') : error instanceof Error ? error.name : 'unknown'
}

const saidToLetters: ReadonlySet<unknown> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
const signInFirst = 530

/**
 * What a mail server answered to a letter; null: nothing. It was not reached, or what it said it says to everybody's: a greeting that sends us away, a
 * password that it does not take, or that one is wanted.
 */
const answerOf = (error: unknown): number | null => {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return typeof responseCode === 'number' && saidToLetters.has(command) && responseCode !== signInFirst ? responseCode : null
}

/** A mail server that says 5xx to a letter will say so again. */
const isFinal = (answer: number | null): boolean => answer !== null && answer >= 500 && answer < 600

/**
 * Whether an operator is to hear of an attempt that the mail server did not answer: at once when it sent us away, and when it was silent for the third time.
 * Once is a restart.
 */
function isNews(error: unknown, attempts: number): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return typeof command === 'string' && (typeof responseCode === 'number' || attempts >= 3)
}

async function write(row: MailRow, { writers, publicUrl }: MailSending): Promise<Letter | null> {
  const writer = writers[row.kind] as ((context: LetterContext, facts: unknown) => Promise<Letter | null> | Letter | null) | undefined
  if (!writer) throw new Error(`Nobody writes mails of the kind ${row.kind}.`)
  return writer({ publicUrl, recipient: row.recipient }, row.facts)
}

/**
 * Whether an address has had its mails of the hour. Even then one goes out every ten minutes: strangers who ask for it again and again do not keep its owner
 * without a link that works.
 */
async function isTooMany({ pool }: MailSending, row: MailRow): Promise<boolean> {
  if (!setOffByStrangers.has(row.kind)) return false
  const { count, isRecent } = await countSent(pool, row.recipient, row.kind, recentSeconds)
  return count >= mostAnHour && isRecent
}

/** Message ids are guessable from nothing but the queue, and say nothing about it. */
function messageIdOf(row: MailRow, publicUrl: string): string {
  const digest = createHash('sha256').update(`${row.id} ${row.created_at.toISOString()} ${row.recipient}`).digest('hex')
  return `<${digest.slice(0, 32)}@${new URL(publicUrl).hostname}>`
}

/** What is known of an attempt when it ends badly: what went wrong, and whether the mail server had all of the letter but its last line. */
type Failure = { readonly error: unknown; readonly isHanded: boolean }

/** Ends an attempt that failed: for good, or until the next one. Says whether the mail server was there. */
async function failed(row: MailRow, { error, isHanded }: Failure, { pool, log }: MailSending): Promise<boolean> {
  const [fault, answer] = [faultOf(error), answerOf(error)]
  const facts = { mail: row.id, kind: row.kind, attempt: row.attempts, fault }
  if (isHanded && answer === null) {
    await finishMail(pool, row, 'unsure', fault)
    log.warn(facts, 'A mail was cut off as the mail server was taking it. It is not sent again, since it may have gone out.')
  } else if (isFinal(answer) || row.attempts >= mostAttempts) {
    await finishMail(pool, row, 'failed', fault)
    log.warn(facts, 'A mail could not be sent and is given up.')
  } else {
    await retryMail(pool, row, waitSeconds(row.attempts), fault)
    if (answer === null && isNews(error, row.attempts))
      log.warn(facts, 'A mail could not be sent: the mail server is away, or lets nobody in with what SMTP_URL says. It is tried again.')
    else log.info(facts, 'A mail could not be sent; it is tried again.')
  }
  return answer !== null
}

/** Whether it was asked for so long ago that nobody waits for its link any more: it would be a new one, and come unasked. */
const isPast = ({ kind, age_seconds: age }: MailRow): boolean => waitedForShortly.has(kind) && age > mostWaitedSeconds

/** How a mail ends without being sent; null: it is sent. */
async function endBefore(row: MailRow, sending: MailSending): Promise<MailEnd | null> {
  if (row.was_handed) return 'unsure'
  return row.is_closed || isPast(row) || (await isTooMany(sending, row)) ? 'dropped' : null
}

/** Sends a mail, or finds that there is none to send. Says whether the mail server was there as far as that was seen. */
async function sendOne(row: MailRow, sending: MailSending): Promise<boolean> {
  const { pool, transport, publicUrl } = sending
  let isHanded = false
  const beforeEnd = async () => {
    isHanded = await markHanded(pool, row)
    if (!isHanded) throw new Error('The mail took so long that another process has taken it.')
  }
  try {
    const end = await endBefore(row, sending)
    const letter = end === null ? await write(row, sending) : null
    if (letter === null) {
      await finishMail(pool, row, end ?? 'dropped', null)
      return true
    }
    const once = row.of_mailing ? { beforeEnd } : {}
    await transport.send({ recipient: row.recipient, messageId: messageIdOf(row, publicUrl), ...setLetter(letter, publicUrl), ...once })
    // Between the two lines lies the only moment at which a kill sends a letter twice, with the same Message-ID. One of a mailing is marked by then, and is not.
    await finishMail(pool, row, 'sent', null)
    return true
  } catch (error) {
    return failed(row, { error, isHanded }, sending)
  }
}

/** Sends what is due, one mail after the other, until nothing is or the process stops. */
export async function sendDueMails(sending: MailSending, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await claimMail(sending.pool, leaseSeconds, 'any')
    if (!row) return
    await sendOne(row, sending)
  }
}

/** As long as the mail server is away there is nothing to gain from trying it with everybody's mail: the lane ends, and the next turn looks again. */
async function sendInLane(sending: MailSending, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await claimMail(sending.pool, leaseSeconds, 'mailings')
    if (!row || !(await sendOne(row, sending))) return
  }
}

/** Sends what is due of mailings, several at a time: beside `sendDueMails`, so that nobody who waits for a mail waits for them. */
export async function sendMailings(sending: MailSending, signal: AbortSignal): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: lanes }, () => sendInLane(sending, signal)))
  const fault = ended.find((end) => end.status === 'rejected')
  if (fault) throw fault.reason
}

export { forgetMails }
