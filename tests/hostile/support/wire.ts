import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Response as received on the wire. */
export type WireAnswer = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string }

/** Responses on a connection, and whether the server closed it. */
export type WireResponses = { readonly answers: readonly WireAnswer[]; readonly isClosed: boolean; readonly text: string }

const withinMs = 10_000

/** Decodes a chunked body and returns it with the remaining bytes; null while it is incomplete. */
function unchunk(text: string): { body: string; rest: string } | null {
  let body = ''
  let at = 0
  for (;;) {
    const end = text.indexOf('\r\n', at)
    if (end < 0) return null
    const length = Number.parseInt(text.slice(at, end), 16)
    if (text.length < end + length + 4) return null
    body += text.slice(end + 2, end + 2 + length)
    at = end + length + 4
    if (length === 0) return { body, rest: text.slice(at) }
  }
}

function getBody(headers: ReadonlyMap<string, string>, rest: string): { body: string; rest: string } | null {
  if (headers.get('transfer-encoding') === 'chunked') return unchunk(rest)
  const length = Number(headers.get('content-length') ?? 0)
  return rest.length < length ? null : { body: rest.slice(0, length), rest: rest.slice(length) }
}

/** Parses the complete responses in the received bytes (latin1), including interim ones. */
export function parseResponses(text: string): WireAnswer[] {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return []
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (Number.isNaN(status)) throw new Error(`Not an HTTP response: ${text.slice(0, 200)}`)
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const cut = getBody(headers, text.slice(end + 4))
  return cut === null ? [] : [{ status, headers, body: Buffer.from(cut.body, 'latin1').toString() }, ...parseResponses(cut.rest)]
}

export type SendOptions = {
  /** Number of responses to wait for. If omitted, reads until the connection is closed. */
  readonly answers?: number
  readonly localAddress?: string
}

/** Sends bytes (latin1) on a new connection and reads the responses. */
export async function send(origin: string, bytes: string, { answers = Number.POSITIVE_INFINITY, localAddress }: SendOptions = {}): Promise<WireResponses> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, ...(localAddress === undefined ? {} : { localAddress }) })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('data', (part: string) => {
    text += part
    if (parseResponses(text).length >= answers) resolve(false)
  })
  socket.on('end', () => resolve(true))
  socket.on('close', () => resolve(true))
  const timer = setTimeout(() => resolve(false), withinMs)
  const isClosed = await promise
  clearTimeout(timer)
  socket.destroy()
  return { answers: parseResponses(text), isClosed, text }
}

/** Connection on which a test writes bytes and collects what the server returns. */
export class RawConnection {
  readonly socket: Socket
  text = ''
  private readonly ended: Promise<void>

  constructor(origin: string, localAddress?: string) {
    const { hostname, port } = new URL(origin)
    this.socket = connect({ port: Number(port), host: hostname, ...(localAddress === undefined ? {} : { localAddress }) })
    this.socket.setEncoding('latin1')
    this.socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => this.socket.once('close', () => resolve()))
  }

  listen(): this {
    this.socket.on('data', (part: string) => {
      this.text += part
    })
    return this
  }

  async open(): Promise<this> {
    if (this.socket.connecting) await once(this.socket, 'connect')
    return this
  }

  /** Waits until the connection is closed and returns the elapsed milliseconds. @throws if it is still open after ten seconds. */
  async closed(): Promise<number> {
    const from = performance.now()
    const timer = new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('The connection is still open.')), withinMs).unref())
    await Promise.race([this.ended, timer])
    return performance.now() - from
  }
}

export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: api.example.test', ...headers, '', body].join('\r\n')
}
