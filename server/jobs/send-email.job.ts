import { makeMails } from '#server/email/bulk-emails.ts'
import { type MailSending, sendDueMails, sendMailings } from '#server/email/send-emails.ts'
import { keyHolders } from '#server/keys/keys.ts'
import type { Job } from './runner.ts'

/** Sends queued emails within about a second, and bulk emails every five seconds. */
export function sendEmailJobs(sending: MailSending): Job[] {
  return [
    { name: 'mail.send', everyMs: 1_000, run: (_pool, signal) => sendDueMails(sending, signal) },
    { name: 'mail.send-mailings', everyMs: 5_000, run: (_pool, signal) => sendMailings(sending, signal) },
  ]
}

/** Queues the messages of bulk emails. Needs no SMTP server: the messages wait for one. */
export const makeMailsJob: Job = { name: 'mail.make', everyMs: 1_000, run: (pool, signal) => makeMails(pool, keyHolders, signal) }
