import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { createLeanServer, type LeanParts } from '#server/api/http/node-http.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { createLog } from '#server/observability/log.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Returns a listener whose pages take a second to render, so that pipelined responses are queued. */
function slowServer() {
  const parts = {
    pipeline: { malformed: () => ({ status: 400, headers: [], body: '{}', bytes: 2 }) },
    router: {},
    tools: { answer: async () => ({ status: 400, headers: [], body: '{}' }) },
    health: { live: () => ({ status: 200, body: {} }), ready: async () => ({ status: 200, body: {} }) },
    trustProxy: new TrustedProxies([]),
    log: createLog('silent'),
    limits: { ...usualLimits, connections: 100, connectionsOfOne: null },
    answers: () => true,
    admits: () => true,
    operator: () => null,
    otherRoutes: () => null,
    securityHeaders: [],
    fallback: (_request: unknown, response: { end: (text: string) => void }) => void setTimeout(() => response.end('a page'), 1_000),
  }
  return createLeanServer(parts as unknown as LeanParts)
}

test.each(['POST /healthz', 'GET /mcp'])('%s discards a chunked body while its response waits behind a slow page', async (line) => {
  const server = slowServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const before = usedBytes()
  const body = `${'1\r\nx\r\n'.repeat(15_000)}0\r\n\r\n`
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  for (let sent = 0; sent < 20; sent++) socket.write(`${line} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}`)
  await sleep(700)
  // Keeping 300,000 chunks would take more than 60 MB.
  expect(usedBytes() - before).toBeLessThan(15_000_000)
  socket.destroy()
  server.closeAllConnections()
  server.close()
})
