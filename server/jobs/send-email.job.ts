import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '#server/clock.ts'
import { readNextEmailAt, sendWaitingEmails } from '#server/db/queues.sql.ts'
import { finishBulkEmails, makeMails } from '#server/email/bulk-emails.ts'
import { attemptSeconds, emailRetries, type MailSending, type SendResult, sendEmail } from '#server/email/send-emails.ts'
import { keyHolders } from '#server/keys/keys.ts'
import type { Job, QueueJob } from './runner.ts'

/** Number of emails that a process sends concurrently. Applies separately to bulk emails and to all others. */
const concurrency = 4
const maxResent = 10_000

/** Dead-letter queue of the emails that can't be sent, for operators to inspect. */
const deadLetter = 'mail.failed'

/** Pause after a bulk email that failed because the mail server is unavailable, since the next ones would fail too. */
const unavailablePauseMs = 5_000

async function sendBulkEmail(sending: MailSending, id: number): Promise<SendResult> {
  const result = await sendEmail(sending, id)
  if (result.isUnavailable) await sleep(unavailablePauseMs)
  return result
}

/** Email queues. A database trigger sends one job for each email. */
export function sendEmailJobs(sending: MailSending): QueueJob[] {
  const queue = {
    everyMinutes: 60,
    maxSeconds: attemptSeconds,
    concurrency,
    retries: emailRetries,
    deadLetter,
    handle: (id: number) => sendEmail(sending, id),
  }
  return [
    { ...queue, name: 'mail.send', run: (pool) => sendWaitingEmails(pool, maxResent), nextAt: readNextEmailAt },
    { ...queue, name: 'mail.send-mailings', handle: (id: number) => sendBulkEmail(sending, id), run: finishBulkEmails },
  ]
}

const finishEveryMs = 30_000

/** Queues the messages of bulk emails, and finishes those whose messages have been sent. Needs no SMTP server: the messages wait for one. */
export const makeMailsJob: Job = {
  name: 'mail.make',
  everyMinutes: 60,
  run: (pool, signal) => makeMails(pool, keyHolders, signal),
  nextAt: async (pool) => {
    const unfinished = await pool.bulkEmail.findFirst({ where: { endedAt: null }, select: { id: true } })
    return unfinished && new Date(clock.now() + finishEveryMs)
  },
}
