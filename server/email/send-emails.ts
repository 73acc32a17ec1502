import { createHash } from 'node:crypto'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { claimMail, countSent, finishMail, forgetMails, type MailEnd, type MailRow, markHanded, retryMail } from './email.store.ts'
import type { EmailTemplates } from './email.ts'
import type { EmailContent } from './email-content.ts'
import { rateLimitedKinds, renderContent, shortLivedKinds } from './email-content.ts'
import type { EmailContext } from './templates/account-emails.ts'
import type { MailTransport } from './transport.ts'

/** Lifetime of a worker's claim on an email. All timeouts of an attempt together are shorter, so a worker that exceeds it must have died. */
const leaseSeconds = 90
const maxAttempts = 10
const maxPerHour = 5
const recentSeconds = 600
/** Age after which an email with a short-lived link is no longer sent. Longer than all retries together. */
const maxLinkAgeSeconds = 24 * 3_600
/** Number of bulk emails that a process sends concurrently, in addition to other emails. */
const bulkConcurrency = 4

/** Returns the delay before the next attempt: 15 s, 30 s, 1 min … up to an hour. All attempts together cover a mail server outage of about two hours. */
const waitSeconds = (attempts: number): number => Math.min(3_600, 15 * 2 ** (attempts - 1))

export type MailSending = {
  readonly pool: Database
  readonly transport: MailTransport
  readonly writers: EmailTemplates
  readonly publicUrl: string
  readonly log: Log
}

/** Describes an SMTP failure without the recipient or content, which some servers repeat in their messages. */
function describeFault(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const parts = [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number')
  return parts.length > 0 ? parts.join(' ') : error instanceof Error ? error.name : 'unknown'
}

const messageCommands: ReadonlySet<unknown> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
const authenticationRequired = 530

/**
 * Returns the SMTP code with which the server rejected this email. Returns null if the server was unreachable, or if its response would be the same for every
 * email: a rejected connection, rejected credentials, or missing authentication.
 */
const getResponseCode = (error: unknown): number | null => {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return typeof responseCode === 'number' && messageCommands.has(command) && responseCode !== authenticationRequired ? responseCode : null
}

/** Returns true for a 5xx response code, which means that the server will never accept the email. */
const isFinal = (answer: number | null): boolean => answer !== null && answer >= 500 && answer < 600

/**
 * Returns true if the operator should be warned about an attempt for which the mail server gave no response to the email itself: at once if it sent an error
 * code, otherwise from the third attempt on. A single attempt without any response usually means that the mail server was restarting.
 */
function isWorthWarning(error: unknown, attempts: number): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return typeof command === 'string' && (typeof responseCode === 'number' || attempts >= 3)
}

async function renderEmail(row: MailRow, { writers, publicUrl }: MailSending): Promise<EmailContent | null> {
  const writer = writers[row.kind] as ((context: EmailContext, facts: unknown) => Promise<EmailContent | null> | EmailContent | null) | undefined
  if (!writer) throw new Error(`No template for emails of kind ${row.kind}.`)
  return writer({ publicUrl, recipient: row.recipient }, row.facts)
}

/**
 * Returns true if an email must be dropped because its recipient already got too many of its kind this hour. One every ten minutes is still sent, so that
 * unauthenticated requests for someone's address can't deprive that person of a working link.
 */
async function isRateLimited({ pool }: MailSending, row: MailRow): Promise<boolean> {
  if (!rateLimitedKinds.has(row.kind)) return false
  const { count, isRecent } = await countSent(pool, row.recipient, row.kind, recentSeconds)
  return count >= maxPerHour && isRecent
}

/** Derives the Message-ID of an email from its row in the queue. It can't be computed without the row, and it reveals nothing about the email. */
function getMessageId(row: MailRow, publicUrl: string): string {
  const digest = createHash('sha256').update(`${row.id} ${row.created_at.toISOString()} ${row.recipient}`).digest('hex')
  return `<${digest.slice(0, 32)}@${new URL(publicUrl).hostname}>`
}

/** Failed attempt to send an email. `isHanded` is true if the mail server had already received everything but the last line. */
type Failure = { readonly error: unknown; readonly isHanded: boolean }

/** Records a failed attempt and schedules the next one, if any. Returns true if the mail server responded. */
async function recordFailure(row: MailRow, { error, isHanded }: Failure, { pool, log }: MailSending): Promise<boolean> {
  const [fault, answer] = [describeFault(error), getResponseCode(error)]
  const facts = { mail: row.id, kind: row.kind, attempt: row.attempts, fault }
  if (isHanded && answer === null) {
    await finishMail(pool, row, 'unsure', fault)
    log.warn(facts, 'Connection lost while handing over an email. Not retried, because it may have been sent.')
  } else if (isFinal(answer) || row.attempts >= maxAttempts) {
    await finishMail(pool, row, 'failed', fault)
    log.warn(facts, 'Email could not be sent. Will not retry.')
  } else {
    await retryMail(pool, row, waitSeconds(row.attempts), fault)
    if (answer === null && isWorthWarning(error, row.attempts))
      log.warn(facts, 'Email could not be sent: the mail server is unreachable or rejects the credentials in SMTP_URL. Will retry.')
    else log.info(facts, 'Email could not be sent. Will retry.')
  }
  return answer !== null
}

/** Returns true if the email's link was requested too long ago. Sending the email would create a new link that no one is waiting for. */
const isStale = ({ kind, age_seconds: age }: MailRow): boolean => shortLivedKinds.has(kind) && age > maxLinkAgeSeconds

/** Returns the final state of an email that must not be sent; null if it must be. */
async function getSkipState(row: MailRow, sending: MailSending): Promise<MailEnd | null> {
  if (row.was_handed) return 'unsure'
  return row.is_closed || isStale(row) || (await isRateLimited(sending, row)) ? 'dropped' : null
}

/** Sends an email unless it must be skipped. Returns false if the mail server was unavailable. */
async function sendOne(row: MailRow, sending: MailSending): Promise<boolean> {
  const { pool, transport, publicUrl } = sending
  let isHanded = false
  const beforeEnd = async () => {
    isHanded = await markHanded(pool, row)
    if (!isHanded) throw new Error('The email took so long that another worker has claimed it.')
  }
  try {
    const end = await getSkipState(row, sending)
    const message = end === null ? await renderEmail(row, sending) : null
    if (message === null) {
      await finishMail(pool, row, end ?? 'dropped', null)
      return true
    }
    const once = row.of_mailing ? { beforeEnd } : {}
    await transport.send({ recipient: row.recipient, messageId: getMessageId(row, publicUrl), ...renderContent(message, publicUrl), ...once })
    // An email can be sent twice, with the same Message-ID, only if the process crashes between these two statements. Bulk emails are not affected, because
    // they were marked before the last line was sent.
    await finishMail(pool, row, 'sent', null)
    return true
  } catch (error) {
    return recordFailure(row, { error, isHanded }, sending)
  }
}

/** Sends due emails one at a time until none is due or the process stops. */
export async function sendDueMails(sending: MailSending, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await claimMail(sending.pool, leaseSeconds, 'any')
    if (!row) return
    await sendOne(row, sending)
  }
}

/** Sends due bulk emails one at a time. Stops if the mail server is unavailable, because the others would also fail. The next run tries again. */
async function sendBulkSequentially(sending: MailSending, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await claimMail(sending.pool, leaseSeconds, 'mailings')
    if (!row || !(await sendOne(row, sending))) return
  }
}

/** Sends due bulk emails concurrently. Runs alongside `sendDueMails`, so bulk emails don't delay other emails. */
export async function sendMailings(sending: MailSending, signal: AbortSignal): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: bulkConcurrency }, () => sendBulkSequentially(sending, signal)))
  const fault = ended.find((end) => end.status === 'rejected')
  if (fault) throw fault.reason
}

export { forgetMails }
