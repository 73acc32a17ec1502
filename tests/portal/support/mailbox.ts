import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export type ReceivedEmail = {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly raw: string
  readonly text: string
  readonly html: string
}

const waitMs = 15_000

/** Decodes quoted-printable and base64, so that links can be found. */
function decodeBody(part: string): string {
  const split = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, split), part.slice(split + 4)]
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/content-transfer-encoding: quoted-printable/i.test(head)) return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function getHeader(raw: string, name: string): string {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? ''
}

function read(raw: string, to: string, from: string): ReceivedEmail {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`)
  const getPart = (type: string) => decodeBody((parts.find((part) => new RegExp(`^\\r\\ncontent-type: ${type}`, 'i').test(part)) ?? '\r\n\r\n').slice(2))
  return { to, from, subject: getHeader(raw, 'Subject'), raw, text: getPart('text/plain'), html: getPart('text/html') }
}

/** Real SMTP server that stores all emails. */
export class Mailbox {
  readonly received: ReceivedEmail[] = []
  /** SMTP status codes with which to reject the next emails, in order. */
  readonly refusals: number[] = []
  /** Set `passwords` or `connections` to true to reject them. */
  readonly rejects = { passwords: false, connections: false }
  /** Hooks that run before the server responds to an RCPT TO command (`announced`) or to a complete email (`taken`). */
  readonly meanwhile: { announced: (address: string) => unknown; taken: (address: string) => unknown } = { announced: () => null, taken: () => null }
  private readonly server: SMTPServer
  private port = 0

  constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      // Accepts any password by default: the tests only check that passwords do not leak.
      onAuth: ({ username }, _session, done) =>
        this.rejects.passwords ? done(Object.assign(new Error('No.'), { responseCode: 535 })) : done(null, { user: username ?? '' }),
      onConnect: (_session, done) => (this.rejects.connections ? done(Object.assign(new Error('No service here.'), { responseCode: 554 })) : done()),
      disabledCommands: ['STARTTLS'],
      // Closes lingering connections shortly after the server stops; clients may keep theirs open.
      closeTimeout: 100,
      onRcptTo: async ({ address }, _session, done) => {
        await this.meanwhile.announced(address)
        done()
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          const refusal = this.refusals.shift()
          if (refusal !== undefined) return done(Object.assign(new Error('Not now.'), { responseCode: refusal }))
          const { envelope } = session
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          for (const { address } of envelope.rcptTo) {
            this.received.push(read(Buffer.concat(chunks).toString('utf8'), address, from))
            await this.meanwhile.taken(address)
          }
          done()
        })
      },
    })
    // Ignores errors from connections that break because a client is killed while sending.
    this.server.on('error', () => undefined)
  }

  /** @param port any free port by default */
  async open(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    const address = this.server.server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
    return `smtp://127.0.0.1:${this.port}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  to(address: string): ReceivedEmail[] {
    return this.received.filter((mail) => mail.to === address)
  }

  /** Waits for the nth email to an address and returns it. */
  async next(address: string, n = 1): Promise<ReceivedEmail> {
    const end = Date.now() + waitMs
    while (Date.now() < end) {
      const mail = this.to(address)[n - 1]
      if (mail) return mail
      await sleep(50)
    }
    throw new Error(
      `Email ${n} to ${address} did not arrive within ${waitMs} ms. Received: ${this.received.map(({ to, subject }) => `${to} "${subject}"`).join(', ')}`,
    )
  }
}

/** Returns the path of the link in an email. */
export function linkIn(mail: ReceivedEmail): string {
  const link = /https?:\/\/\S+\/(?:confirm|reset|join|status\/follow)\/\S+/.exec(mail.text)?.[0]
  if (link === undefined) throw new Error(`The email "${mail.subject}" has no link:\n${mail.text}`)
  return new URL(link).pathname
}
