import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a local proxy that adds a key to every request, for clients that can't send one, and changes nothing else. */
export async function startKeyProxy(origin: string, key: string): Promise<{ origin: string; close: () => void }> {
  const { hostname, port } = new URL(origin)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const sent = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}
