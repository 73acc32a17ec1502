import { type MailSending, sendDueMails } from '../mail/send-mails.ts'
import type { Job } from './job.ts'

/** Sends the mails that were asked for, within a second or so. */
export function sendMailJob(sending: MailSending): Job {
  return { name: 'mail.send', everyMs: 1_000, run: (_pool, signal) => sendDueMails(sending, signal) }
}
