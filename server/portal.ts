import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import next from 'next'
import type { Env } from './env.ts'
import { stampPeer } from './transports/peer.ts'

/** The Next application: portal, site and, on hosts that only run Next, the API itself. */
export type Portal = {
  handle: (request: IncomingMessage, response: ServerResponse, address: string | null) => void
  attach: (server: Server) => void
  close: () => Promise<void>
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Whether Next hands a request on as it came. It answers other methods and paths that cannot be decoded with a bare 500, and doubled slashes with a
 * redirect; our listener answers such calls of the API itself, with the error that says what is wrong.
 */
export function nextCarries(request: IncomingMessage): boolean {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  if (!knownMethods.has(request.method ?? '') || path.includes('//') || path.includes('\\')) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

export async function openPortal(env: Env): Promise<Portal> {
  const app = next({ dev: env.isDevelopment, dir: process.cwd(), hostname: env.host ?? 'localhost', port: env.port })
  await app.prepare()
  const handle = app.getRequestHandler()
  return {
    handle: (request, response, address) => {
      stampPeer(request, address)
      void handle(request, response)
    },
    // Hot reload speaks over a socket of its own.
    attach: (server) => {
      if (env.isDevelopment) server.on('upgrade', (request, socket, head) => void app.getUpgradeHandler()(request, socket, head))
    },
    close: () => app.close(),
  }
}
