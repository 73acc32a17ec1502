import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Log } from '../log.ts'
import type { Letter } from './letter.ts'
import type { LetterContext } from './letters/account-letters.ts'
import { claimMail, countSent, finishMail, forgetMails, type MailRow, retryMail } from './mail.store.ts'
import type { LetterWriters } from './mail.ts'
import { sentLast, setOffByStrangers } from './mail-kinds.ts'
import { setLetter } from './set-letter.ts'
import type { MailTransport } from './transport.ts'

/** Longer than all time limits of an attempt together: whoever still holds a mail after that is dead. */
const leaseSeconds = 90
const mostAttempts = 10
const mostAnHour = 5
const recentSeconds = 600

/** Waits between attempts: 15 s, 30 s, 1 min … up to an hour. In all a mail server may be away for about three hours. */
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

/** A mail server that says 5xx to a letter will say so again. */
const isFinal = (error: unknown): boolean => {
  const code = (error as { responseCode?: unknown }).responseCode
  return typeof code === 'number' && code >= 500 && code < 600
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

async function sendOne(row: MailRow, sending: MailSending): Promise<void> {
  const { pool, transport, publicUrl, log } = sending
  const facts = { mail: row.id, kind: row.kind, attempt: row.attempts }
  try {
    const letter = (await isTooMany(sending, row)) ? null : await write(row, sending)
    if (letter === null) return await finishMail(pool, row.id, 'dropped', null)
    await transport.send({ recipient: row.recipient, messageId: messageIdOf(row, publicUrl), ...setLetter(letter, publicUrl) })
    // Between the two lines lies the only moment at which a kill sends a letter twice; its Message-ID is the same then.
    await finishMail(pool, row.id, 'sent', null)
  } catch (error) {
    const fault = faultOf(error)
    if (isFinal(error) || row.attempts >= mostAttempts) {
      await finishMail(pool, row.id, 'failed', fault)
      log.warn({ ...facts, fault }, 'A mail could not be sent and is given up.')
      return
    }
    await retryMail(pool, row.id, waitSeconds(row.attempts), fault)
    log.info({ ...facts, fault }, 'A mail could not be sent; it is tried again.')
  }
}

/** Sends what is due, one mail after the other, until nothing is or the process stops. */
export async function sendDueMails(sending: MailSending, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const row = await claimMail(sending.pool, leaseSeconds, sentLast)
    if (!row) return
    await sendOne(row, sending)
  }
}

export { forgetMails }
