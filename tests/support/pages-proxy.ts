import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { Shutdown } from '#server/runtime/processes/listener.ts'
import { createInnerServer, PagesProxy, type PagesState } from '#server/runtime/processes/pages-proxy.ts'
import type { Fallback } from '#server/runtime/processes/serve.ts'

export const proxyToken = 'token-of-the-tests'
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, fatal: () => {} }
const open: Server[] = []

/** Starts a server on a free port of 127.0.0.1 and returns the port. `closeAfterEach` closes it. */
export async function listening(server: Server): Promise<number> {
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Closes the servers after each test. Call at the top of the file. */
export function closeAfterEach(): void {
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  })
}

/**
 * Starts a real gateway listener in front of a real page server, both in this process. `address` is the client address that the gateway sees.
 */
export async function startGatewayAndPages(pages: Fallback, address: string | null = '203.0.113.9') {
  const inner = createInnerServer(proxyToken, pages, new Shutdown())
  const innerPort = await listening(inner)
  const state: PagesState = { token: proxyToken, pagesPort: innerPort, havePagesListened: true }
  const pagesProxy = new PagesProxy(state, log)
  const port = await listening(createServer((received, response) => pagesProxy.handle(received, response, address)))
  return { port, origin: `http://127.0.0.1:${port}`, inner, innerOrigin: `http://127.0.0.1:${innerPort}`, state }
}
