import { type MailSending, sendEmail } from '#server/email/send-emails.ts'

const conditions = { all: 'true', bulk: 'bulk_email_id IS NOT NULL' } as const

/** Attempts to send each due email once, including emails that become due during the run; bulk emails are last. In the service, each email has its own job. */
export async function sendDueEmails(sending: MailSending, which: keyof typeof conditions = 'all'): Promise<void> {
  const next = `SELECT id FROM email WHERE state = 'waiting' AND due_at <= now() AND ${conditions[which]} ORDER BY bulk_email_id IS NOT NULL, due_at, id LIMIT 1`
  for (;;) {
    const { rows } = await sending.pool.query<{ id: number }>(next)
    if (rows[0] === undefined) return
    await sendEmail(sending, rows[0].id)
  }
}
