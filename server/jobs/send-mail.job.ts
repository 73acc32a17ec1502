import { makeMails } from '#server/email/mailings.ts'
import { type MailSending, sendDueMails, sendMailings } from '#server/email/send-mails.ts'
import { keyHolders } from '#server/keys/key-holders.ts'
import type { Job } from './job.ts'

/** Sends the mails that were asked for, within a second or so; those to many at a pace of their own. */
export function sendMailJobs(sending: MailSending): Job[] {
  return [
    { name: 'mail.send', everyMs: 1_000, run: (_pool, signal) => sendDueMails(sending, signal) },
    { name: 'mail.send-mailings', everyMs: 5_000, run: (_pool, signal) => sendMailings(sending, signal) },
  ]
}

/** Makes the mails of mailings. It needs no mail server: they wait for one. */
export const makeMailsJob: Job = { name: 'mail.make', everyMs: 1_000, run: (pool, signal) => makeMails(pool, keyHolders, signal) }
