import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import type { Answer } from '#server/api/pipeline/call.ts'
import { openPool } from '#server/db/pool.ts'
import { answerTo, askAll } from '#server/runtime/processes/ask-all.ts'
import { releaseHere } from '#server/runtime/release.ts'
import type { Service } from '#server/runtime/service.ts'
import { logCalls } from './call-log.ts'
import { DatabaseFiguresReader } from './database-figures.ts'
import type { Log } from './log.ts'
import { isForOperator } from './metrics-door.ts'
import { tracing } from './telemetry/tracer.ts'
import type { TraceSettings, WatchEnv } from './watch-variables.ts'

export type WatchSettings = WatchEnv & {
  readonly developmentFeatures: boolean
  readonly logLevel: string
  readonly roles: ReadonlySet<string>
  readonly databaseUrl: string
  /** Whether a pooler in transaction mode is there. */
  readonly isPooled: boolean
  /** The folder of the embedded database; null: the database is elsewhere. */
  readonly dataDir: string | null
}

type WatchParts = {
  readonly service: Pick<Service, 'admission' | 'market' | 'isReplicaUsed' | 'isWritable' | 'clockSkew'>
  readonly pool: Pool
  readonly log: Log
}

/** What the operator of a process sees of it. */
export type Watch = {
  /** Answers `/metrics`; null: whoever asks is nobody who may know that it is there. */
  readonly operator: (url: string, request: IncomingMessage) => Promise<Answer> | null
  close: () => Promise<void>
}

/** A connection for scrapes alone, so that they find one when the pools have none left. It is opened with the first, and its statements end with the patience of a scrape. */
const figuresPool = (url: string, isPooled: boolean, log: Log): Pool =>
  openPool({
    url,
    isPooled,
    connectWithinMs: 1_000,
    max: 1,
    applicationName: 'svc-watch',
    statementTimeoutMs: 1_000,
    onError: (error) => log.info({ err: error }, 'The connection for /metrics was lost; the next scrape opens another.'),
  })

/** What a process of the service is asked when one of them is scraped, and how long for. The figures of its database have a limit of their own within. */
const question = 'metrics'
const answerWithinMs = 1_500

/** The figures of all processes of this service as one. A scrape reaches any of them, and would otherwise meet another one each time. */
async function tell(): Promise<Answer> {
  const [{ textOf, contentType }, { answers, missing }] = await Promise.all([import('./registry.ts'), askAll(question, null, answerWithinMs)])
  const body = await textOf(answers, missing)
  const headers = ['Content-Type', contentType, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
  return { status: 200, headers, body, bytes: Buffer.byteLength(body) }
}

/** Traces are sent from here on, if somebody takes them. What makes them is loaded only then. */
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

/** Begins to watch a process: slow calls in its log, and its figures for whoever may scrape them. */
export async function openWatch(settings: WatchSettings, { service, pool, log }: WatchParts): Promise<Watch> {
  logCalls(log, settings.logLevel === 'debug' || settings.logLevel === 'trace')
  const closeTraces = await openTraces(settings.traces, log)
  const ownPool = figuresPool(settings.databaseUrl, settings.isPooled, log)
  const door = { token: settings.metricsToken, developmentFeatures: settings.developmentFeatures }
  let registry: Promise<Registry> | null = null
  // What makes the text is loaded with the first scrape: a process that nobody scrapes never does.
  const open = async (): Promise<Registry> => {
    const [{ openRegistry }, release] = await Promise.all([import('./registry.ts'), releaseHere()])
    const pools = new Map([
      ['main', pool],
      ['watch', ownPool],
    ])
    const figures = new DatabaseFiguresReader(ownPool, log)
    const { admission, market, isReplicaUsed, isWritable, clockSkew } = service
    return openRegistry({ pools, market, roles: settings.roles, release, dataDir: settings.dataDir, admission, isReplicaUsed, isWritable, clockSkew, figures })
  }
  answerTo(question, async () => {
    registry ??= open()
    return JSON.parse(JSON.stringify(await (await registry).getMetricsAsJSON())) as object[]
  })
  return {
    operator: (url, request) => (isForOperator(url, request, door) ? tell() : null),
    close: async () => {
      await closeTraces()
      await ownPool.end()
    },
  }
}
