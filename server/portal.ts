import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import next from 'next'
import type { Env } from './env.ts'
import { stampPeer } from './transports/peer.ts'

/** The Next application: portal, site and, on hosts that only run Next, the API itself. */
export type Portal = {
  handle: (request: IncomingMessage, response: ServerResponse) => void
  attach: (server: Server) => void
  close: () => Promise<void>
}

/** Next answers a path that cannot be decoded with a bare 500. Escaped once more it is a path like any other, and gets its 404 with a reason. */
function mendPath(url: string): string {
  const [path = '', ...search] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...search].join('?')
  }
}

export async function openPortal(env: Env): Promise<Portal> {
  const app = next({ dev: env.isDevelopment, dir: process.cwd(), hostname: env.host ?? 'localhost', port: env.port })
  await app.prepare()
  const handle = app.getRequestHandler()
  return {
    handle: (request, response) => {
      stampPeer(request)
      request.url = mendPath(request.url ?? '/')
      void handle(request, response)
    },
    // Hot reload speaks over a socket of its own.
    attach: (server) => {
      if (env.isDevelopment) server.on('upgrade', (request, socket, head) => void app.getUpgradeHandler()(request, socket, head))
    },
    close: () => app.close(),
  }
}
