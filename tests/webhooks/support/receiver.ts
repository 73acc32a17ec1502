import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

/** Received delivery, with its raw body and parsed content. */
export type ReceivedDelivery = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly raw: string
  readonly body: { id: string; type: string; createdAt: string; attempt: number; data: Record<string, unknown> }
}

type Answer = number | ((response: ServerResponse, got: ReceivedDelivery) => void)

async function read(request: IncomingMessage): Promise<ReceivedDelivery> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks).toString('utf8')
  return { path: request.url ?? '', headers: request.headers, raw, body: raw === '' ? {} : JSON.parse(raw) }
}

/** A customer's server on this machine. Responds with 200 by default. */
export class Receiver {
  readonly got: ReceivedDelivery[] = []
  /** Upcoming responses, in order. When none are left, `usual` is sent. */
  readonly next: Answer[] = []
  usual: Answer = 200
  private readonly server: http.Server

  private constructor(tls: { cert: string; key: string } | null) {
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response)
    this.server = tls ? https.createServer(tls, handle) : http.createServer(handle)
  }

  static async open({ tls = null, host = '127.0.0.1', port = 0 }: { tls?: { cert: string; key: string } | null; host?: string; port?: number } = {}) {
    const receiver = new Receiver(tls)
    await new Promise<void>((resolve, reject) => {
      receiver.server.once('error', reject)
      receiver.server.listen(port, host, resolve)
    })
    return receiver
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Returns a URL for a path, so that one receiver can represent many. */
  url(path = '/hook', host = '127.0.0.1'): string {
    return `${this.server instanceof https.Server ? 'https' : 'http'}://${host}:${this.port}${path}`
  }

  at(path: string): ReceivedDelivery[] {
    return this.got.filter((got) => got.path === path)
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const got = await read(request)
    this.got.push(got)
    const answer = this.next.shift() ?? this.usual
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(response, got)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
