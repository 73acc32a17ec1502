import { connect } from 'node:net'

export type FloodOptions = {
  readonly port: number
  readonly requests: number
  readonly connections: number
  /** Function that returns the raw text of the request with the given index. */
  readonly getRequest: (at: number) => string
}

const headEnd = '\r\n\r\n'

/** Returns the status of a response and its length in bytes, including the head. Returns null until the head is complete. */
function getLength(arrived: Buffer): { status: number; bytes: number } | null {
  const end = arrived.indexOf(headEnd)
  if (end < 0) return null
  const head = arrived.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined && status !== 304 && status !== 202) throw new Error(`A response has no Content-Length:\n${head}`)
  return { status, bytes: end + headEnd.length + Number(length ?? 0) }
}

/** Sends many requests over a few keep-alive connections, each after the response to the previous one. Returns the number of responses by status. */
export async function flood({ port, requests, connections, getRequest }: FloodOptions): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let next = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let arrived: Buffer = Buffer.alloc(0)
      const send = () => {
        if (next >= requests) {
          socket.removeAllListeners('close')
          socket.destroy()
          resolve()
        } else socket.write(getRequest(next++))
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('A connection was closed before its response was complete.')))
      socket.on('data', (part) => {
        arrived = arrived.length === 0 ? part : Buffer.concat([arrived, part])
        const answer = getLength(arrived)
        if (answer === null || arrived.length < answer.bytes) return
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        arrived = Buffer.alloc(0)
        send()
      })
      socket.on('connect', send)
    })
  await Promise.all(Array.from({ length: connections }, one))
  return statuses
}
