import { connect, type Socket } from 'node:net'
import type { Totals } from './totals.ts'

const lengthHeader = /\r\ncontent-length: (\d+)/i
const chunkedHeader = /\r\ntransfer-encoding: chunked/i

/** End of a chunked body. Our JSON contains no line breaks, so this sequence can't occur within a body. */
const lastChunk = '\r\n0\r\n\r\n'

/** Shared read buffer of all sockets: each read is processed completely before the next one starts. */
const inbox = Buffer.allocUnsafe(65_536)

/** One keep-alive connection without pipelining: sends a request when the previous response is complete. */
export class Connection {
  private readonly socket: Socket
  private readonly totals: Totals
  private readonly nextRequest: () => Buffer
  private sentAt = 0
  /** Remaining bytes of the body; null if it is chunked. */
  private bodyLeft: number | null = 0
  private chunkedTail = ''
  private partialHead: Buffer | null = null
  private finish: () => void = () => undefined
  readonly finished: Promise<void>

  constructor(port: number, totals: Totals, nextRequest: () => Buffer) {
    this.totals = totals
    this.nextRequest = nextRequest
    const onread = { buffer: inbox, callback: (bytes: number) => this.read(bytes) }
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    this.finished = new Promise((resolve, reject) => {
      this.finish = resolve
      this.socket.once('error', reject)
      this.socket.once('close', () => reject(new Error(`The server on port ${port} closed a connection during a request.`)))
    })
    this.socket.once('connect', () => this.send())
  }

  private send(): void {
    this.sentAt = performance.now()
    this.socket.write(this.nextRequest())
  }

  private read(bytes: number): boolean {
    if (this.bodyLeft === 0) this.readHead(bytes)
    else this.readBody(inbox.subarray(0, bytes))
    return true
  }

  private readHead(bytes: number): void {
    const arrived = inbox.subarray(0, bytes)
    const soFar = this.partialHead ? Buffer.concat([this.partialHead, arrived]) : arrived
    const end = soFar.indexOf('\r\n\r\n')
    if (end < 0) {
      this.partialHead = Buffer.from(soFar)
      return
    }
    this.partialHead = null
    const head = soFar.toString('latin1', 0, end)
    const length = lengthHeader.exec(head)?.[1]
    if (length === undefined && !chunkedHeader.test(head)) throw new Error(`A response has neither Content-Length nor chunked encoding:\n${head}`)
    this.totals.head(head)
    this.bodyLeft = length === undefined ? null : Number(length)
    this.readBody(soFar.subarray(end + 4))
  }

  private readBody(bytes: Buffer): void {
    if (this.bodyLeft === null) {
      this.chunkedTail = (this.chunkedTail + bytes.toString('latin1', Math.max(0, bytes.length - lastChunk.length))).slice(-lastChunk.length)
      if (this.chunkedTail === lastChunk) this.next()
    } else {
      this.bodyLeft -= bytes.length
      if (this.bodyLeft < 0) throw new Error('A response is longer than its Content-Length.')
      if (this.bodyLeft === 0) this.next()
    }
  }

  private next(): void {
    this.bodyLeft = 0
    this.chunkedTail = ''
    if (this.totals.whole(this.sentAt, performance.now())) {
      this.send()
    } else {
      this.finish()
      this.socket.destroy()
    }
  }
}
