import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { securityHeaders } from '#server/api/contract/security-headers.ts'
import { postmanInThread } from '#server/api/documents/postman-thread.ts'
import { leadsElsewhere } from '#server/api/http/address-shapes.ts'
import { usualLimits } from '#server/api/http/listener-limits.ts'
import { NetworkLimit } from '#server/api/http/network-limit.ts'
import { createLeanServer } from '#server/api/http/node-http.ts'
import { answerOtherRoutes } from '#server/api/http/other-routes.ts'
import { selfFetchPeer } from '#server/api/http/peer.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import type { Database } from '#server/db/prisma.ts'
import { configureNextAuth, configureNextOrigin, type Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'
import { type Observability, openObservability } from '#server/observability/observability.ts'
import type { ServiceDatabase } from '../database.ts'
import type { Portal } from '../portal.ts'
import { getSecret } from '../secret.ts'
import { type Service, startService } from '../service.ts'
import { shareService } from '../service-slot.ts'
import { getOrigin, type ListenAt, listen, Shutdown, withinOpenFiles } from './listener.ts'

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Returns true if Next passes a request to its route handlers unchanged. It answers other methods, undecodable paths and targets that are not paths with a
 * bare 500, and double slashes with a redirect; it resolves dot segments, so that `/v1/../x` is outside the API, and drops everything after a `#`. Our
 * listener responds to such API calls itself, with an error that says what is wrong. A host that only runs Next cannot do this.
 */
function nextSupports(request: IncomingMessage): boolean {
  const url = request.url ?? '/'
  const path = url.split('?', 1)[0] ?? '/'
  if (!knownMethods.has(request.method ?? '') || !path.startsWith('/') || url.includes('#')) return false
  if (path.includes('//') || leadsElsewhere(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Handler for requests outside the API: the pages, or a proxy to them. */
export type Fallback = Portal['handle']

/** Factory for the HTTP server of a process, and the address that the server listens on. */
export type Entry = {
  readonly open: (service: Service, portal: Portal | null, shutdown: Shutdown, operator: Observability['operator']) => Server
  readonly at: ListenAt
  /** URL of the service on this machine, if it differs from the address that this process listens on. */
  readonly origin?: string
}

function notHere(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
  response.end('{"error":"not_found","message":"This process serves the API under /v1.","requestId":null,"docs":"/docs/errors/not_found"}')
}

/**
 * Exempts one kind of request from the limit: the page that Next itself fetches after a form submission. The form has already been counted, and occupies its
 * slot until that page arrives.
 */
const exemptSelfFetches =
  (handle: Fallback, limited: Fallback): Fallback =>
  (request, response, address) => {
    const peer = selfFetchPeer(request)
    if (peer) handle(request, response, peer.address)
    else limited(request, response, address)
  }

/** Handler for pages in a process without the portal. `hasListened`: the pages process has listened at least once, which readiness requires. */
type Pages = { readonly handle: Fallback; readonly hasListened: boolean }

const noPages: Pages = { handle: notHere, hasListened: true }

/** Returns the server factory and the listen address for the service's public port. */
export function publicEntry(env: Env, log: Log, pages = noPages): Entry {
  const isGateway = env.roles.has('gateway')
  const { pagesPerMinute } = env.listener
  const limit = pagesPerMinute === null ? null : new NetworkLimit(pagesPerMinute)
  const limited = (handle: Fallback) => exemptSelfFetches(handle, limit ? limit.over(handle) : handle)
  const open: Entry['open'] = (service, portal, shutdown, operator) =>
    createLeanServer({
      pipeline: service.pipeline,
      // Without the gateway role, Next's route handlers serve the API, except for requests that Next would not pass on unchanged.
      answers: (request) => isGateway || !nextSupports(request),
      router: service.router,
      tools: service.tools,
      health: shutdown.over(service.health, () => pages.hasListened),
      trustProxy: env.trustProxy,
      log,
      limits: { ...usualLimits, ...withinOpenFiles(env.listener, log) },
      otherRoutes: answerOtherRoutes(service),
      admits: (request, response, address) => limit?.admitDirect(request, response, address) ?? true,
      operator,
      securityHeaders: securityHeaders(env.publicUrl),
      response: shutdown.response,
      fallback: limited(portal?.handle ?? pages.handle),
      ...(portal ? { upgrades: portal.upgrades } : {}),
    })
  return { open, at: { port: env.port, host: env.host } }
}

async function startJobs(env: Env, log: Log, pool: Database, service: Service) {
  const [{ JobRunner }, { workerJobs }] = await Promise.all([import('#server/jobs/runner.ts'), import('#server/jobs/scheduled-jobs.ts')])
  const { jobs, close } = workerJobs(env, service, pool, log)
  const runner = await JobRunner.start(jobs, pool, log, env.isPooled)
  return { stop: () => runner.stop().finally(close) }
}

/**
 * Returns to the operating system the memory that was only needed at start-up. V8 would keep it, because an idle process never collects garbage. Blocks for
 * about 100 ms, so call this before the process accepts requests.
 */
async function releaseMemory(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}

/** Starts the roles of this process. The database must be prepared already. */
export async function serve(env: Env, log: Log, database: ServiceDatabase, entry: Entry) {
  configureNextAuth(env)
  const pending = () => pendingMigrations(database.pool)
  const settings = { ...env, databaseUrl: database.url, secret: await getSecret(env), toPostman: postmanInThread }
  const service = await startService(settings, database.pool, log, pending)
  shareService(service)
  const { url: databaseUrl, pool } = database
  const watch = await openObservability({ ...env, ...env.watch, databaseUrl, dataDir: database.isEmbedded ? env.dataDir : null }, { service, pool, log })
  // Loaded only if needed: a process that is only a gateway starts without it.
  const portal = env.roles.has('portal') ? await (await import('../portal.ts')).openPortal(env, service, log) : null
  const shutdown = new Shutdown()
  const server = entry.open(service, portal, shutdown, watch.operator)
  shutdown.watch(server)
  portal?.attach(server)
  await releaseMemory()
  const { port, companions } = await listen(server, entry.at)
  const origin = entry.origin ?? getOrigin(env.host, port)
  service.billing.address.origin = origin
  // Next must fetch the page that a form redirects to from its own process: at the gateway, that fetch would wait for a slot while the form occupies one.
  configureNextOrigin(getOrigin(entry.at.host, port))
  const jobs = env.roles.has('worker') ? await startJobs(env, log, database.pool, service) : null
  /** HTTP server and, if it listens on loopback only, the server that accepts connections to ::1 for it. */
  const servers: [Server, ...NetServer[]] = [server, ...companions]
  return { servers, port, shutdown, service, jobs, portal, watch, database }
}

/** Components that run in one process. The page renderer may run in another process. */
export type Running = Omit<Awaited<ReturnType<typeof serve>>, 'portal'> & { readonly portal: Pick<Portal, 'close'> | null }

/** Shuts down gracefully: completes calls and writes pending data. Aborting `forceExit` skips the rest of the drain. */
export async function drain(running: Running, log: Log, drainSeconds: number, forceExit?: AbortSignal): Promise<void> {
  const { servers, shutdown, service, jobs, portal, watch, database } = running
  shutdown.isDraining = true
  shutdown.isShuttingDown = true
  if (drainSeconds > 0)
    await sleep(drainSeconds * 1_000, undefined, forceExit ? { signal: forceExit } : {}).catch(() => log.info('Skipped the rest of the drain.'))
  await shutdown.close(servers)
  await jobs?.stop()
  await service.close()
  await portal?.close()
  await watch.close()
  await database.close()
}
