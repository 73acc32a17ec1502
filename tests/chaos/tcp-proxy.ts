/** TCP proxy between a service and PostgreSQL. It can cut, hold or delay traffic, in one direction or both. */
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

type Held = 'nothing' | 'answers' | 'everything'

export type TcpProxy = AsyncDisposable & {
  /** URL of the database through the proxy. */
  readonly url: string
  /** Sets which traffic is held from now on, on current and future connections. Held traffic isn't lost. */
  hold: (what: Held) => void
  /**
   * From now on, holds all responses on any connection that sends this text, until that connection closes. Null stops this, except for connections that are
   * already held.
   */
  holdAfter: (text: string | null) => void
  /** Closes all connections and discards held data. `hold` still applies to new connections. */
  cut: () => void
  /** Delays everything the database sends from now on. */
  slow: (ms: number) => void
}

type Wire = { readonly client: Socket; readonly server: Socket; isHeld: boolean; late: number; last: Promise<void> }

/** Forwards a chunk from the database after a delay, in order. */
function passLater(wire: Wire, chunk: Buffer, ms: number): void {
  const due = performance.now() + ms
  wire.late++
  wire.last = wire.last.then(async () => {
    await sleep(Math.max(0, due - performance.now()))
    wire.late--
    wire.client.write(chunk)
  })
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const wires = new Set<Wire>()
  let held: Held = 'nothing'
  let slowMs = 0
  let trigger: string | null = null
  const flow = (wire: Wire) => {
    const answers = wire.isHeld || held !== 'nothing'
    if (answers) wire.server.pause()
    else wire.server.resume()
    if (held === 'everything') wire.client.pause()
    else wire.client.resume()
  }
  const end = (wire: Wire) => {
    wires.delete(wire)
    wire.client.destroy()
    wire.server.destroy()
  }
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    const wire: Wire = { client, server, isHeld: false, late: 0, last: Promise.resolve() }
    wires.add(wire)
    client.on('data', (chunk) => {
      if (trigger !== null && chunk.includes(trigger)) {
        wire.isHeld = true
        flow(wire)
      }
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (slowMs === 0 && wire.late === 0) client.write(chunk)
      else passLater(wire, chunk, slowMs)
    })
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', () => end(wire))
      socket.on('close', () => end(wire))
    }
    flow(wire)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    hold: (what) => {
      held = what
      for (const wire of wires) flow(wire)
    },
    holdAfter: (text) => {
      trigger = text
    },
    cut: () => {
      for (const wire of [...wires]) end(wire)
    },
    slow: (ms) => {
      slowMs = ms
    },
    [Symbol.asyncDispose]: async () => {
      for (const wire of [...wires]) end(wire)
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
