import { Transform } from 'node:stream'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import type { Database } from '#server/db/prisma.ts'

export type OutgoingEmail = {
  readonly recipient: string
  /** The same in every attempt, so that mail servers can recognise duplicates. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribeUrl?: string | undefined
  /**
   * Callback awaited before the last line of a bulk email is sent. Mail servers accept an email only once they have its last line, so the email is not sent if
   * the callback rejects.
   */
  readonly beforeEnd?: () => Promise<void>
}

/** Sends emails. The promise of `send` rejects if the email was not accepted. */
export type MailTransport = { send: (emailMessage: OutgoingEmail) => Promise<void>; close: () => void }

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 } as const

type OwnOptions = SendMailOptions & Pick<OutgoingEmail, 'beforeEnd'>

/** Creates a stream that delays the end of an email until `work` is done. */
const delayEnd = (work: () => Promise<void>) =>
  new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      work().then(() => done(), done)
    },
  })

/** Pooled connections for bulk email, each used for many messages: mail servers are slow to accept connections, and limit their number and duration. */
const shared = { pool: true, maxConnections: 4, maxMessages: 100 } as const

/** Adds settings to the URL's query, because nodemailer ignores options passed next to a URL. Settings already in the URL take precedence. */
function withSettings(url: string, settings: Readonly<Record<string, number | boolean>>): string {
  const known = new URL(url).searchParams
  const more = Object.entries(settings).filter(([name]) => !known.has(name))
  return more.reduce((address, [name, value]) => `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`, url)
}

function withDelayedEnds<Made extends Pick<Transporter, 'use'>>(server: Made): Made {
  server.use('stream', (mail, done) => {
    const { beforeEnd } = mail.data as OwnOptions
    if (beforeEnd) mail.message.transform(delayEnd(beforeEnd))
    done()
  })
  return server
}

/** Headers that let mail software end a subscription with one click (RFC 8058). */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/** Creates a transport for an SMTP server, such as `smtps://user:password@mail.example.com`. Each individual email uses a new connection, never a stale one. */
export function smtpTransport(url: string, from: string, limits: Readonly<Record<string, number>> = timeLimits): MailTransport {
  const single = createTransport(withSettings(url, limits), { from })
  const bulk = withDelayedEnds(createTransport(withSettings(url, { ...shared, ...limits }), { from }))
  return {
    send: async ({ recipient, messageId, subject, text, html, unsubscribeUrl, beforeEnd }) => {
      const emailMessage: OwnOptions = {
        to: { name: '', address: recipient },
        subject,
        text,
        html,
        messageId,
        // Asks mail software not to send automatic replies, because they could quote a link with a token.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...unsubscribeHeaders(unsubscribeUrl) },
        disableFileAccess: true,
        disableUrlAccess: true,
      }
      await (beforeEnd ? bulk.sendMail({ ...emailMessage, beforeEnd } as OwnOptions) : single.sendMail(emailMessage))
    },
    close: () => {
      single.close()
      bulk.close()
    },
  }
}

/** Creates a transport that stores emails in the database, to be read at /dev/mail. Not for production. */
export function outboxTransport(pool: Database): MailTransport {
  const send = async ({ recipient, subject, text, html, beforeEnd }: OutgoingEmail) => {
    await beforeEnd?.()
    await pool.emailOutbox.create({ data: { recipient, subject, bodyText: text, bodyHtml: html }, select: { id: true } })
  }
  return { send, close: () => undefined }
}
