/** A wire between a service and PostgreSQL that can be cut or held, in one direction or both. */
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

type Held = 'nothing' | 'answers' | 'everything'

export type TcpProxy = AsyncDisposable & {
  /** The address of the database, through the wire. */
  readonly url: string
  /** What waits on the way from now on, on connections that are there and on new ones. Nothing is lost by it. */
  hold: (what: Held) => void
  /** Holds the answers of each connection that says this text, for as long as the connection lives; null: of none that says anything from now on. */
  holdAfter: (text: string | null) => void
  /** Ends all connections; what waits on the way is lost. New connections hold what is held now. */
  cut: () => void
  /** What the database says takes so much longer to arrive from now on. */
  slow: (ms: number) => void
}

type Wire = { readonly client: Socket; readonly server: Socket; isHeld: boolean; late: number; last: Promise<void> }

/** Hands on what the database said, in order, after so many milliseconds. */
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
