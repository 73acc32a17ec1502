import { connect } from 'node:net'

const statusLine = /HTTP\/1\.1 (\d{3}) /g

/**
 * Sends `each` calls on each of `sockets` connections without waiting for responses, which puts most of the load on the service rather than the sender.
 * @returns the count of each status, once all responses have arrived
 */
export async function callPipelined(
  origin: string,
  path: string,
  key: string,
  { sockets, each }: { sockets: number; each: number },
): Promise<Map<number, number>> {
  const { hostname, port } = new URL(origin)
  const calls = `GET /v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(each)
  const statuses = new Map<number, number>()
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(calls))
      let answers = 0
      let rest = ''
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The connection was closed before all responses arrived.')))
      socket.on('data', (chunk) => {
        const text = rest + chunk.toString('latin1')
        for (const [, status] of text.matchAll(statusLine)) {
          statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1)
          answers++
        }
        // Keeps the last 12 characters, because a status line may be split across chunks. A complete status line has 13 characters, so none is counted twice.
        rest = text.slice(-12)
        if (answers < each) return
        socket.removeAllListeners('close')
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: sockets }, one))
  return statuses
}
