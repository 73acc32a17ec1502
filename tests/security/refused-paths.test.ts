/**
 * Tests that the listener rejects page paths with dot segments or backslashes, which proxies, browsers and Next may resolve differently. The pages behind it
 * return 200 for every path.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { createLeanServer } from '#server/api/http/node-http.ts'
import { answerOtherRoutes } from '#server/api/http/other-routes.ts'
import { TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { createLog } from '#server/observability/log.ts'
import { type Service, startService } from '#server/runtime/service.ts'
import { requestText, send } from '../hostile/support/wire.ts'
import { ownDatabase } from '../support/own-database.ts'
import { serviceSettings } from '../support/service-settings.ts'

const database = ownDatabase({ max: 2 })
let service: Service
let server: Server
let origin = ''

beforeAll(async () => {
  const log = createLog('silent')
  service = await startService({ ...serviceSettings, databaseUrl: database.url }, database.pool, log, async () => [])
  server = createLeanServer({
    ...service,
    trustProxy: new TrustedProxies(),
    log,
    limits: { ...usualLimits, connections: 100, connectionsOfOne: null },
    answers: () => true,
    otherRoutes: answerOtherRoutes(service),
    operator: () => null,
    securityHeaders: [],
    fallback: (_request, response) => void response.end('page'),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await service.close()
})

const getStatus = async (path: string) => (await send(origin, requestText(`GET ${path}`), { answers: 1 })).answers[0]?.status

test.each([
  '/mcp/../sign-in',
  '/mcp/%2e%2e/sign-in',
  '/mcp/.%2E/sign-in',
  '/mcp/%2E./sign-in?x',
  '/mcp\\..\\sign-in',
  '/logos/../sign-in',
  '/_next/static/../../sign-in',
  '/api/v1/../auth/csrf',
  '/sign-in/.',
  '/sign-in/..#x',
])('rejects %s', async (path) => expect(await getStatus(path)).toBe(400))

test.each(['/sign-in', '/', '/sign-in?next=/../x', '/.well-known/x', '/logos/live/a..b.svg'])('serves %s', async (path) =>
  expect(await getStatus(path)).toBe(200),
)
