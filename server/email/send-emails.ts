import { createHash } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { EmailState } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { type ClaimedEmail, claimEmail } from '#server/db/queues.sql.ts'
import type { Log } from '#server/observability/log.ts'
import type { EmailTemplates } from './email.ts'
import { type EmailContent, type EmailKind, rateLimitedKinds, renderContent, shortLivedKinds } from './email-content.ts'
import type { EmailContext } from './templates/account-emails.ts'
import type { MailTransport } from './transport.ts'

/** Maximum duration of an attempt. The timeouts within an attempt add up to less, so a worker that exceeds this must have died. */
export const attemptSeconds = 90
const maxAttempts = 10
const maxPerHour = 5
const recentMs = 600_000
const hourMs = 3_600_000
/** Age after which an email with a short-lived link is no longer sent. Longer than all retries together. */
const maxLinkAgeSeconds = 24 * 3_600

/**
 * Retries of pg-boss: after 15 to 30 s, 30 to 60 s, 1 to 2 min … up to an hour. All attempts together cover a mail server outage of two hours. There are more
 * than `maxAttempts`, because a job whose email another worker has claimed is retried too.
 */
export const emailRetries = { retryLimit: 2 * maxAttempts, retryDelay: 15, retryBackoff: true, retryDelayMax: 3_600 } as const

/** Returns the shortest delay that pg-boss may leave before the next attempt. */
const waitSeconds = (attempts: number): number => Math.min(emailRetries.retryDelayMax, emailRetries.retryDelay * 2 ** (attempts - 1))

export type MailSending = {
  readonly pool: Database
  readonly transport: MailTransport
  /** Templates of all kinds of email that are sent. */
  readonly writers: Partial<EmailTemplates>
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
 * Returns true if the operator should be warned about an attempt in which the mail server did not respond to the email itself: immediately if it sent an error
 * code, otherwise from the third attempt on. A single attempt without any response usually means that the mail server was restarting.
 */
function isWorthWarning(error: unknown, attempts: number): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return typeof command === 'string' && (typeof responseCode === 'number' || attempts >= 3)
}

async function renderEmail(row: ClaimedEmail, { writers, publicUrl }: MailSending): Promise<EmailContent | null> {
  const writer = writers[row.kind as EmailKind] as ((context: EmailContext, facts: unknown) => Promise<EmailContent | null> | EmailContent | null) | undefined
  if (!writer) throw new Error(`No template for emails of kind ${row.kind}.`)
  return writer({ publicUrl, recipient: row.recipient }, row.data)
}

/**
 * Returns true if an email must be dropped because its recipient has already received too many emails of its kind this hour. Earlier emails that are still
 * being sent count too, because concurrent attempts would otherwise not see each other. One every ten minutes is still sent, so that unauthenticated requests
 * for someone's address can't deprive that person of a working link.
 */
async function isRateLimited({ pool }: MailSending, { id, kind, recipient }: ClaimedEmail): Promise<boolean> {
  if (!rateLimitedKinds.has(kind as EmailKind)) return false
  const since = (ms: number) => new Date(clock.now() - ms)
  const latest = await pool.email.findMany({
    where: {
      recipient,
      kind,
      OR: [
        { state: 'sent', doneAt: { gt: since(hourMs) } },
        { state: 'waiting', id: { lt: id } },
      ],
    },
    // Emails that are still being sent come first.
    orderBy: { doneAt: { sort: 'desc', nulls: 'first' } },
    take: maxPerHour,
    select: { doneAt: true },
  })
  const [last] = latest
  return latest.length === maxPerHour && last !== undefined && (last.doneAt === null || last.doneAt > since(recentMs))
}

/** Derives the Message-ID of an email from its row in the queue. It can't be computed without the row, and it reveals nothing about the email. */
function getMessageId(row: ClaimedEmail, publicUrl: string): string {
  const digest = createHash('sha256').update(`${row.id} ${row.createdAt.toISOString()} ${row.recipient}`).digest('hex')
  return `<${digest.slice(0, 32)}@${new URL(publicUrl).hostname}>`
}

/** Failed attempt to send an email. `isHanded` is true if the mail server had already received everything but the last line. */
type Failure = { readonly error: unknown; readonly isHanded: boolean }

/**
 * Result of an attempt. `retry`: the email is still waiting. `failed`: it will never be sent. `isUnavailable`: the mail server did not respond to the email
 * itself.
 */
export type SendResult = { readonly outcome: 'done' | 'retry' | 'failed'; readonly fault: string | null; readonly isUnavailable?: boolean }

const done: SendResult = { outcome: 'done', fault: null }

/** Records the final state of an email, unless it has been claimed again since: then its number of attempts differs. */
async function finish(pool: Database, { id, attempts }: ClaimedEmail, state: Exclude<EmailState, 'waiting'>, fault: string | null): Promise<void> {
  await pool.email.updateMany({ where: { id, attempts }, data: { state, fault, doneAt: new Date(clock.now()) } })
}

/** Records a failed attempt, and the earliest time of the next one. */
async function recordFailure(row: ClaimedEmail, { error, isHanded }: Failure, { pool, log }: MailSending): Promise<SendResult> {
  const { id, attempts } = row
  const [fault, answer] = [describeFault(error), getResponseCode(error)]
  const facts = { mail: id, kind: row.kind, attempt: attempts, fault }
  if (isHanded && answer === null) {
    await finish(pool, row, 'unsure', fault)
    log.warn(facts, 'Connection lost while handing over an email. Not retried, because it may have been sent.')
    return { outcome: 'failed', fault }
  }
  if (isFinal(answer) || attempts >= maxAttempts) {
    await finish(pool, row, 'failed', fault)
    log.warn(facts, 'Email could not be sent. Will not retry.')
    return { outcome: 'failed', fault }
  }
  const dueAt = new Date(clock.now() + waitSeconds(attempts) * 1_000)
  await pool.email.updateMany({ where: { id, attempts }, data: { dueAt, fault, handedOverAt: null } })
  if (answer === null && isWorthWarning(error, attempts))
    log.warn(facts, 'Email could not be sent: the mail server is unreachable or rejects the credentials in SMTP_URL. Will retry.')
  else log.info(facts, 'Email could not be sent. Will retry.')
  return { outcome: 'retry', fault, isUnavailable: answer === null }
}

/** Returns true if the email's link was requested too long ago. Sending the email would create a new link that no one is waiting for. */
const isStale = ({ kind, ageSeconds }: ClaimedEmail): boolean => shortLivedKinds.has(kind as EmailKind) && ageSeconds > maxLinkAgeSeconds

/** Returns the final state of an email that must not be sent; null if it may be sent. */
async function getSkipState(row: ClaimedEmail, sending: MailSending): Promise<'unsure' | 'dropped' | null> {
  if (row.wasHanded) return 'unsure'
  return row.isClosed || isStale(row) || (await isRateLimited(sending, row)) ? 'dropped' : null
}

/** Sends a claimed email unless it must be skipped. */
async function send(row: ClaimedEmail, sending: MailSending): Promise<SendResult> {
  const { pool, transport, publicUrl } = sending
  const { id, attempts } = row
  let isHanded = false
  const beforeEnd = async () => {
    isHanded = (await pool.email.updateMany({ where: { id, attempts, state: 'waiting' }, data: { handedOverAt: new Date(clock.now()) } })).count === 1
    if (!isHanded) throw new Error('Sending the email took so long that another worker has claimed it.')
  }
  try {
    const end = await getSkipState(row, sending)
    const message = end === null ? await renderEmail(row, sending) : null
    if (message === null) {
      await finish(pool, row, end ?? 'dropped', null)
      return done
    }
    const once = row.isBulk ? { beforeEnd } : {}
    await transport.send({
      recipient: row.recipient,
      messageId: getMessageId(row, publicUrl),
      ...renderContent(message, publicUrl),
      unsubscribeUrl: message.unsubscribeUrl,
      ...once,
    })
    // An email can be sent twice, with the same Message-ID, only if the process crashes between these two statements. Bulk emails are not affected, because
    // they were marked before the last line was sent.
    await finish(pool, row, 'sent', null)
    return done
  } catch (error) {
    return recordFailure(row, { error, isHanded }, sending)
  }
}

/** Makes one attempt to send an email. If another worker has claimed it, that worker may have died, so the result is `retry` until the email is finished. */
export async function sendEmail(sending: MailSending, id: number): Promise<SendResult> {
  const row = await claimEmail(sending.pool, id, attemptSeconds)
  if (row) return send(row, sending)
  const isWaiting = (await sending.pool.email.count({ where: { id, state: 'waiting' } })) > 0
  return isWaiting ? { outcome: 'retry', fault: 'Another worker has claimed the email.' } : done
}

const keptMs = 30 * 24 * hourMs
const maxDeleted = 1_000

/** Deletes emails that were finished more than 30 days ago, and emails in the outbox that are older than 30 days. */
export async function forgetMails(db: Database): Promise<void> {
  const before = { lt: new Date(clock.now() - keptMs) }
  await db.email.deleteMany({ where: { state: { not: 'waiting' }, doneAt: before }, limit: maxDeleted })
  await db.emailOutbox.deleteMany({ where: { at: before }, limit: maxDeleted })
}
