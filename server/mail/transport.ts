import { Transform } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Pool } from 'pg'
import { insertOutbox } from './mail.store.ts'

export type OutgoingLetter = {
  readonly recipient: string
  /** The same for every attempt at one mail, so that a mail server can tell a copy. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Awaited before the last line leaves, without which no mail server takes a letter. When it fails the letter is not sent. */
  readonly beforeEnd?: () => Promise<void>
}

/** Where letters go. It throws when one was not taken. */
export type MailTransport = { send: (letter: OutgoingLetter) => Promise<void>; close: () => void }

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 } as const

type OwnOptions = SendMailOptions & Pick<OutgoingLetter, 'beforeEnd'>

/** Holds the end of a letter back until something else is done. */
const endingAfter = (work: () => Promise<void>) =>
  new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      work().then(() => done(), done)
    },
  })

/** A mail server, for example `smtps://user:password@mail.example.com`. */
export function smtpTransport(url: string, from: string): MailTransport {
  const server = createTransport({ url, ...timeLimits }, { from })
  server.use('stream', (mail, done) => {
    const { beforeEnd } = mail.data as OwnOptions
    if (beforeEnd) mail.message.transform(endingAfter(beforeEnd))
    done()
  })
  return {
    send: async ({ recipient, messageId, subject, text, html, beforeEnd }) => {
      const letter: OwnOptions = {
        to: recipient,
        subject,
        text,
        html,
        messageId,
        // A token in a link must not be rewritten, opened or answered by a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(beforeEnd && { beforeEnd }),
      }
      await server.sendMail(letter)
    },
    close: () => server.close(),
  }
}

/** Letters stay in the database, where /dev/mail shows them. Not for production. */
export function outboxTransport(pool: Pool): MailTransport {
  const send = async (letter: OutgoingLetter) => {
    await letter.beforeEnd?.()
    await insertOutbox(pool, letter)
  }
  return { send, close: () => undefined }
}
