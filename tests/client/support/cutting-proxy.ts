import { connect, createServer, type Socket } from 'node:net'

/** Proxy that forwards calls and can drop responses. */
export type CuttingProxy = {
  readonly api: string
  /** Number of calls that reached the service. */
  readonly calls: () => number
  /** Cuts off the next `answers` responses, each after its first `keptBytes` bytes. */
  lose: (answers: number, keptBytes: number) => void
  close: () => Promise<void>
}

export async function startCuttingProxy(api: string): Promise<CuttingProxy> {
  const target = new URL(api)
  const sockets = new Set<Socket>()
  let [toLose, kept, calls] = [0, 0, 0]
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      if (chunk.includes('GET /v1/')) calls++
      server.write(chunk)
    })
    // The service charges a call before it responds, so the call has been charged when the first bytes of the response arrive.
    server.on('data', (chunk) => {
      if (toLose === 0) return void client.write(chunk)
      toLose--
      client.end(chunk.subarray(0, kept))
      server.destroy()
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.end())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  return {
    api: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${target.pathname}`,
    calls: () => calls,
    lose: (answers, keptBytes) => {
      toLose = answers
      kept = keptBytes
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
