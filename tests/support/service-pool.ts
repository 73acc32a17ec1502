import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenThisProcessIsGone } from '../chaos/guard.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'
import { freePort, type Mount, portalSettings, type ServiceProcess, startProcess, testPagesPerMinute } from './service-process.ts'
import { announceChange, sharedState, stateVersion } from './shared-data-fingerprint.ts'

/** Kind of service: the API on the plain listener or on Next.js, or `portal`, which has all roles in one process and a port for a mail server. */
export type Kind = Mount | 'portal'

/** Addresses and files of a service, for the test file that borrows it. */
export type Loan = {
  readonly id: number
  readonly origin: string
  readonly databaseUrl: string
  /** Port to which the portal sends email. The borrower starts a mail server on it. */
  readonly smtpPort: number
  readonly logPath: string
  /** Offset in bytes at which the log starts for this borrower. */
  readonly logFrom: number
}

/** Kind of service that a test file requests, and the environment for a new one if none is free. */
export type LoanRequest = { readonly kind: Kind; readonly env: Record<string, string | undefined> }

type Kept = {
  readonly kind: Kind
  readonly smtpPort: number
  readonly service: ServiceProcess
  readonly database: TestDatabase
  readonly dataDir: string
  readonly logPath: string
  readonly release: () => void
  /** State version in the database at the time the process last reloaded everything. */
  version: string
  /** Time at which the service was last returned, in milliseconds since this process started. */
  freeSince: number
}

/** Idle time after which a service is stopped, because its scheduled jobs use CPU time. */
const keptFreeMs = 10_000
const lookEveryMs = 2_000

/**
 * Keeps running services that test files borrow one at a time, because starting a service takes longer than most files. Every test creates separate accounts.
 * A service is not lent again if its market, settings or changelog have changed when it is returned.
 */
export class ServicePool {
  private readonly templateUrl: string
  private readonly server: Server
  private readonly looking: NodeJS.Timeout
  private readonly lent = new Map<number, Kept>()
  private free: Kept[] = []
  private original: Promise<string> | undefined
  private loans = 0

  private constructor(templateUrl: string) {
    this.templateUrl = templateUrl
    this.server = createServer((request, response) => {
      // A test file makes two requests here, a long time apart, so a keep-alive connection could close just as it is reused.
      response.setHeader('connection', 'close')
      this.answer(request).then(
        (loan) => response.end(JSON.stringify(loan)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
    this.looking = setInterval(() => void this.endUnused(performance.now() - keptFreeMs), lookEveryMs)
  }

  static async start(templateUrl: string): Promise<ServicePool> {
    const keeper = new ServicePool(templateUrl)
    await new Promise<void>((resolve) => keeper.server.listen(0, '127.0.0.1', resolve))
    return keeper
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
  }

  private async answer(request: IncomingMessage): Promise<Loan | null> {
    if (request.method === 'POST') return this.lend(JSON.parse(await text(request)))
    await this.takeBack(Number(request.url?.slice(1)))
    return null
  }

  private async lend({ kind, env }: LoanRequest): Promise<Loan> {
    // Prefers the most recently returned service, so that surplus services stay idle long enough to be stopped.
    const found = this.free.findLast((kept) => kept.kind === kind)
    this.free = this.free.filter((kept) => kept !== found)
    const kept = found ?? (await this.open(kind, env))
    const id = ++this.loans
    this.lent.set(id, kept)
    const { service, database, smtpPort, logPath } = kept
    return { id, origin: service.origin, databaseUrl: database.url, smtpPort, logPath, logFrom: statSync(logPath).size }
  }

  private async open(kind: Kind, base: Record<string, string | undefined>): Promise<Kept> {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-stage-'))
    const logPath = join(dataDir, 'log')
    writeFileSync(logPath, '')
    const database = await cloneDatabase(this.templateUrl)
    // All copies start identical, and no service writes to shared data when it starts, so one fingerprint is enough.
    this.original ??= sharedState(database.url)
    await this.original
    const smtpPort = await freePort()
    const env = kind === 'portal' ? await portalSettings(smtpPort) : { PAGES_PER_MINUTE: testPagesPerMinute }
    const mount = kind === 'lean' ? 'lean' : 'next'
    const service = await startProcess({ databaseUrl: database.url, mount, dataDir, base, env, onLog: (chunk) => appendFileSync(logPath, chunk) })
    const release = whenThisProcessIsGone('kill -9 "$1"; rm -rf "$2"', String(service.child.pid), dataDir)
    return { kind, smtpPort, service, database, dataDir, logPath, release, version: await stateVersion(database.url), freeSince: 0 }
  }

  private async takeBack(id: number): Promise<void> {
    const kept = this.lent.get(id)
    if (!kept) throw new Error(`No loan with id ${id}.`)
    const isRunning = kept.service.child.exitCode === null && kept.service.child.signalCode === null
    const isAsBefore = isRunning && (await sharedState(kept.database.url)) === (await this.original)
    const isFit = isAsBefore && (await this.reloadSharedData(kept))
    this.lent.delete(id)
    if (!isFit) return this.end(kept)
    kept.freeSince = performance.now()
    this.free.push(kept)
  }

  /**
   * Makes the process reload shared data that a test changed and then restored, because the process may have cached the changed values. The readiness check
   * triggers the reload. Returns false if the process is not ready.
   */
  private async reloadSharedData(kept: Kept): Promise<boolean> {
    if ((await stateVersion(kept.database.url)) === kept.version) return true
    await announceChange(kept.database.url)
    // Waits for a second, because readiness results are cached that long, and a result from before the change would prove nothing.
    await sleep(1_000)
    const { ok } = await fetch(`${kept.service.origin}/readyz`)
    kept.version = await stateVersion(kept.database.url)
    return ok
  }

  private async endUnused(before: number): Promise<void> {
    const unused = this.free.filter(({ freeSince }) => freeSince < before)
    this.free = this.free.filter((kept) => !unused.includes(kept))
    await Promise.all(unused.map((kept) => this.end(kept)))
  }

  private async end({ service, database, dataDir, release }: Kept): Promise<void> {
    await service.stop()
    release()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }

  /** Stops all services, including those that a test file never returned. */
  async stop(): Promise<void> {
    clearInterval(this.looking)
    this.server.close()
    this.server.closeAllConnections()
    await Promise.all([...this.free, ...this.lent.values()].map((kept) => this.end(kept)))
  }
}
