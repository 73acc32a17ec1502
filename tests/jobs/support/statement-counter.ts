import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

const commandComplete = 'C'.charCodeAt(0)
const headerBytes = 5

/** Counts the statements that PostgreSQL has completed on a connection. After each one, PostgreSQL sends a CommandComplete message. */
function countStatements(server: Socket, counted: () => void): void {
  let rest = Buffer.alloc(0)
  server.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headerBytes) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      if (rest[0] === commandComplete) counted()
      rest = rest.subarray(length)
    }
  })
}

/** Opens a proxy to PostgreSQL that counts statements, including those that begin and end transactions. */
export async function openStatementCounter(databaseUrl: string) {
  const target = new URL(databaseUrl)
  let statements = 0
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    countStatements(server, () => void statements++)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url: url.href, count: () => statements, close: () => void proxy.close() }
}
