import { createTransport } from 'nodemailer'
import type { Pool } from 'pg'
import { insertOutbox } from './mail.store.ts'

export type OutgoingLetter = {
  readonly recipient: string
  /** The same for every attempt at one mail, so that a mail server can tell a copy. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Where letters go. It throws when one was not taken. */
export type MailTransport = { send: (letter: OutgoingLetter) => Promise<void>; close: () => void }

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 } as const

/** A mail server, for example `smtps://user:password@mail.example.com`. */
export function smtpTransport(url: string, from: string): MailTransport {
  const server = createTransport({ url, ...timeLimits }, { from })
  return {
    send: async ({ recipient, messageId, subject, text, html }) => {
      await server.sendMail({
        to: recipient,
        subject,
        text,
        html,
        messageId,
        // A token in a link must not be rewritten, opened or answered by a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    },
    close: () => server.close(),
  }
}

/** Letters stay in the database, where /dev/mail shows them. Not for production. */
export function outboxTransport(pool: Pool): MailTransport {
  return { send: (letter) => insertOutbox(pool, letter), close: () => undefined }
}
