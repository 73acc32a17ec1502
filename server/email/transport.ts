import { Transform } from 'node:stream'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import type { Pool } from 'pg'
import { insertOutbox } from './mail.store.ts'

export type OutgoingLetter = {
  readonly recipient: string
  /** The same for every attempt at one mail, so that a mail server can tell a copy. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** For a letter of a mailing: awaited before its last line leaves, without which no mail server takes it. When it fails the letter is not sent. */
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

/** Connections for mail to many, and letters that go over one of them: mail servers greet slowly, and like neither many connections nor long ones. */
const shared = { pool: true, maxConnections: 4, maxMessages: 100 } as const

/** An address with settings in it, where nodemailer looks for them: beside an address it heeds none. What the address says already stays. */
function withSettings(url: string, settings: Readonly<Record<string, number | boolean>>): string {
  const known = new URL(url).searchParams
  const more = Object.entries(settings).filter(([name]) => !known.has(name))
  return more.reduce((address, [name, value]) => `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`, url)
}

function holdingEnds<Made extends Pick<Transporter, 'use'>>(server: Made): Made {
  server.use('stream', (mail, done) => {
    const { beforeEnd } = mail.data as OwnOptions
    if (beforeEnd) mail.message.transform(endingAfter(beforeEnd))
    done()
  })
  return server
}

/** A mail server, for example `smtps://user:password@mail.example.com`. A letter that somebody waits for has a connection of its own, which cannot be stale. */
export function smtpTransport(url: string, from: string, limits: Readonly<Record<string, number>> = timeLimits): MailTransport {
  const one = createTransport(withSettings(url, limits), { from })
  const many = holdingEnds(createTransport(withSettings(url, { ...shared, ...limits }), { from }))
  return {
    send: async ({ recipient, messageId, subject, text, html, beforeEnd }) => {
      const letter: OwnOptions = {
        to: { name: '', address: recipient },
        subject,
        text,
        html,
        messageId,
        // A token in a link must not be rewritten, opened or answered by a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      await (beforeEnd ? many.sendMail({ ...letter, beforeEnd } as OwnOptions) : one.sendMail(letter))
    },
    close: () => {
      one.close()
      many.close()
    },
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
