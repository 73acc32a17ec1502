import { connect, type Socket } from 'node:net'
import type { Tally } from './tally.ts'

const lengthHeader = /\r\ncontent-length: (\d+)/i

/** All sockets read into one buffer: a read is handled to its end before the next one begins. */
const inbox = Buffer.allocUnsafe(65_536)

/** One keep-alive connection without pipelining: a request leaves when the answer to the one before has arrived whole. */
export class Connection {
  private readonly socket: Socket
  private readonly tally: Tally
  private readonly nextRequest: () => Buffer
  private sentAt = 0
  private bodyLeft = 0
  private partialHead: Buffer | null = null
  private finish: () => void = () => undefined
  readonly finished: Promise<void>

  constructor(port: number, tally: Tally, nextRequest: () => Buffer) {
    this.tally = tally
    this.nextRequest = nextRequest
    const onread = { buffer: inbox, callback: (bytes: number) => this.read(bytes) }
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
    this.finished = new Promise((resolve, reject) => {
      this.finish = resolve
      this.socket.once('error', reject)
      this.socket.once('close', () => reject(new Error(`The server on port ${port} closed a connection under way.`)))
    })
    this.socket.once('connect', () => this.send())
  }

  private send(): void {
    this.sentAt = performance.now()
    this.socket.write(this.nextRequest())
  }

  private read(bytes: number): boolean {
    if (this.bodyLeft > 0) this.bodyLeft -= bytes
    else if (!this.readHead(bytes)) return true
    if (this.bodyLeft < 0) throw new Error('An answer is longer than its Content-Length says.')
    if (this.bodyLeft === 0) this.next()
    return true
  }

  /** False: the head is not complete yet. */
  private readHead(bytes: number): boolean {
    const arrived = inbox.subarray(0, bytes)
    const bytesSoFar = this.partialHead ? Buffer.concat([this.partialHead, arrived]) : arrived
    const end = bytesSoFar.indexOf('\r\n\r\n')
    if (end < 0) {
      this.partialHead = Buffer.from(bytesSoFar)
      return false
    }
    this.partialHead = null
    const head = bytesSoFar.latin1Slice(0, end)
    const length = lengthHeader.exec(head)?.[1]
    if (length === undefined) throw new Error(`An answer has no Content-Length:\n${head}`)
    this.tally.head(head)
    this.bodyLeft = Number(length) - (bytesSoFar.length - end - 4)
    return true
  }

  private next(): void {
    if (this.tally.whole(this.sentAt, performance.now())) {
      this.send()
    } else {
      this.finish()
      this.socket.destroy()
    }
  }
}
