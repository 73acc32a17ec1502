import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Registry } from 'prom-client'
import type { Answer } from '#server/api/pipeline/call.ts'
import { openPool } from '#server/db/pool.ts'
import type { Database } from '#server/db/prisma.ts'
import { isFromThisMachine } from '#server/runtime/loopback.ts'
import { releaseHere } from '#server/runtime/release.ts'
import type { Service } from '#server/runtime/service.ts'
import { logCalls } from './call-reports.ts'
import { figuresReader } from './database-figures.ts'
import type { Log } from './log.ts'
import type { ObservabilityEnv, TraceSettings } from './observability-variables.ts'
import { collectMetrics, provideMetrics } from './process-metrics.ts'
import { tracing } from './telemetry/tracer.ts'

const path = /^\/metrics(?:\?|$)/
const bearer = /^bearer +(\S+) *$/i

type MetricsAuthSettings = { readonly token: string | null; readonly developmentFeatures: boolean }

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

const hasToken = (header: string | undefined, token: string): boolean => timingSafeEqual(digest(bearer.exec(header ?? '')?.[1] ?? ''), digest(token))

/**
 * Returns true if a request was sent from this machine and the port in its Host header is the port on which it arrived. Behind a proxy, the Host header
 * contains the proxy's port.
 */
const isDirect = (request: IncomingMessage): boolean =>
  isFromThisMachine(request.socket.remoteAddress, request) && Number(/:(\d+)$/.exec(request.headers.host ?? '')?.[1] ?? 80) === request.socket.localPort

/** Returns true if a request for `/metrics` is from the operator. Anyone else gets the same response as for an unknown URL. */
export function isForOperator(url: string, request: IncomingMessage, { token, developmentFeatures }: MetricsAuthSettings): boolean {
  if (!path.test(url) || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  return token === null ? developmentFeatures && isDirect(request) : hasToken(request.headers.authorization, token)
}

export type ObservabilitySettings = ObservabilityEnv & {
  readonly developmentFeatures: boolean
  readonly logLevel: string
  readonly roles: ReadonlySet<string>
  readonly databaseUrl: string
  /** True if connections go through a pooler in transaction mode. */
  readonly isPooled: boolean
  /** Folder of the embedded database; null if the database is external. */
  readonly dataDir: string | null
}

type ObservabilityParts = {
  readonly service: Pick<Service, 'admission' | 'market' | 'isReplicaUsed' | 'isWritable' | 'clockSkew'>
  readonly pool: Database
  readonly log: Log
}

/** Operator access to the metrics of a process. */
export type Observability = {
  /** Returns the response to a request for `/metrics`, or null if the request is for another URL or not authorised. */
  readonly operator: (url: string, request: IncomingMessage) => Promise<Answer> | null
  close: () => Promise<void>
}

/**
 * Opens a pool of one connection for scrapes, so that they work even if the main pools are exhausted. It connects on the first scrape, and its statements time
 * out before the scrape does.
 */
const figuresPool = (url: string, isPooled: boolean, log: Log): Database =>
  openPool({
    url,
    isPooled,
    connectTimeoutMs: 1_000,
    max: 1,
    applicationName: 'svc-watch',
    statementTimeoutMs: 1_000,
    onError: (error) => log.info({ err: error }, 'The connection for /metrics was lost; the next scrape opens another.'),
  })

/** Returns the combined metrics of all processes of this service. A scrape reaches only one process, whose metrics alone would be incomplete. */
async function getMetrics(): Promise<Answer> {
  const [{ getText, contentType }, { reports, missing }] = await Promise.all([import('./registry.ts'), collectMetrics()])
  const body = await getText(reports, missing)
  const headers = ['Content-Type', contentType, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
  return { status: 200, headers, body, bytes: Buffer.byteLength(body) }
}

/** Starts sending traces if they are configured. The tracing code is loaded only in that case. */
async function openTraces(settings: TraceSettings | null, log: Log): Promise<() => Promise<void>> {
  if (settings === null) return async () => undefined
  const [{ openTracer }, release] = await Promise.all([import('./tracing.ts'), releaseHere()])
  const { tracer, close } = openTracer(settings, release, log)
  tracing.tracer = tracer
  return async () => {
    tracing.tracer = null
    await close()
  }
}

/** Sets up observability for a process: logs slow calls and serves `/metrics` to authorised scrapes. */
export async function openObservability(settings: ObservabilitySettings, { service, pool, log }: ObservabilityParts): Promise<Observability> {
  logCalls(log, settings.logLevel === 'debug' || settings.logLevel === 'trace')
  const closeTraces = await openTraces(settings.traces, log)
  const ownPool = figuresPool(settings.databaseUrl, settings.isPooled, log)
  const metricsAuth = { token: settings.metricsToken, developmentFeatures: settings.developmentFeatures }
  let registry: Promise<Registry> | null = null
  // The registry code is loaded with the first scrape, so a process that is never scraped does not load it.
  const open = async (): Promise<Registry> => {
    const [{ openRegistry }, release] = await Promise.all([import('./registry.ts'), releaseHere()])
    const pools = new Map([
      ['main', pool],
      ['watch', ownPool],
    ])
    const figures = figuresReader(ownPool, log)
    const { admission, market, isReplicaUsed, isWritable, clockSkew } = service
    return openRegistry({ pools, market, roles: settings.roles, release, dataDir: settings.dataDir, admission, isReplicaUsed, isWritable, clockSkew, figures })
  }
  provideMetrics(async () => {
    registry ??= open()
    return JSON.parse(JSON.stringify(await (await registry).getMetricsAsJSON())) as object[]
  })
  return {
    operator: (url, request) => (isForOperator(url, request, metricsAuth) ? getMetrics() : null),
    close: async () => {
      await closeTraces()
      await ownPool.end()
    },
  }
}
