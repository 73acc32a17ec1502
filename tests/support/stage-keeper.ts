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
import { freePort, type Mount, portalSettings, type ServiceProcess, startProcess } from './service-process.ts'
import { announceChange, sharedState, stateVersion } from './shared-state.ts'

/** What is lent: the API on either mount, or everything in one process at the address that its links name, with the portal and a mail server to be. */
export type Kind = Mount | 'portal'

/** What a test file is told of a service that it borrows. */
export type Loan = {
  readonly id: number
  readonly origin: string
  readonly databaseUrl: string
  /** Where a portal takes its mails; whoever borrows it opens a mail server there. */
  readonly smtpPort: number
  readonly logPath: string
  /** The byte from which on its log is about this loan. */
  readonly logFrom: number
}

/** What is wanted, and the environment that it is started with if none is free. */
export type LoanRequest = { readonly kind: Kind; readonly env: Record<string, string | undefined> }

type Kept = {
  readonly kind: Kind
  readonly smtpPort: number
  readonly service: ServiceProcess
  readonly database: TestDatabase
  readonly dataDir: string
  readonly logPath: string
  readonly release: () => void
  /** What its database said of changes when its process last read everything. */
  version: string
  /** When it was given back last, in milliseconds of this process. */
  freeSince: number
}

/** A service that nobody borrowed for so long is ended: its jobs would only take time from others. */
const keptFreeMs = 10_000
const lookEveryMs = 2_000

/**
 * Keeps services that test files borrow, each for itself, one after the other: a start costs more than most files do with it. Every test makes accounts of
 * its own. A service whose market, settings or changelog are not as they were when it is given back is not lent again.
 */
export class StageKeeper {
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
      // A file asks twice, far apart: a connection that is kept could end just as it is used again.
      response.setHeader('connection', 'close')
      this.answer(request).then(
        (loan) => response.end(JSON.stringify(loan)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
    this.looking = setInterval(() => void this.endUnused(performance.now() - keptFreeMs), lookEveryMs)
  }

  static async start(templateUrl: string): Promise<StageKeeper> {
    const keeper = new StageKeeper(templateUrl)
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
    // The one that was given back last, so that those that are too many stay unused and end.
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
    // All copies begin alike, and no service writes to what is shared when it starts: one look is enough.
    this.original ??= sharedState(database.url)
    await this.original
    const smtpPort = await freePort()
    const env = kind === 'portal' ? await portalSettings(smtpPort) : {}
    const mount = kind === 'lean' ? 'lean' : 'next'
    const service = await startProcess({ databaseUrl: database.url, mount, dataDir, base, env, onLog: (chunk) => appendFileSync(logPath, chunk) })
    const release = whenThisProcessIsGone('kill -9 "$1"; rm -rf "$2"', String(service.child.pid), dataDir)
    return { kind, smtpPort, service, database, dataDir, logPath, release, version: await stateVersion(database.url), freeSince: 0 }
  }

  private async takeBack(id: number): Promise<void> {
    const kept = this.lent.get(id)
    if (!kept) throw new Error(`Nothing is lent under ${id}.`)
    const isRunning = kept.service.child.exitCode === null && kept.service.child.signalCode === null
    const isAsBefore = isRunning && (await sharedState(kept.database.url)) === (await this.original)
    const isFit = isAsBefore && (await this.hasReadAnew(kept))
    this.lent.delete(id)
    if (!isFit) return this.end(kept)
    kept.freeSince = performance.now()
    this.free.push(kept)
  }

  /** Rows that were changed and put back may still be held by the process as they were in between: the question whether it is ready makes it read them. */
  private async hasReadAnew(kept: Kept): Promise<boolean> {
    if ((await stateVersion(kept.database.url)) === kept.version) return true
    await announceChange(kept.database.url)
    // Results of the readiness checks are shared for a second: one from before the change would tell nothing.
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

  /** Ends all services, those too that a file never gave back. */
  async stop(): Promise<void> {
    clearInterval(this.looking)
    this.server.close()
    this.server.closeAllConnections()
    await Promise.all([...this.free, ...this.lent.values()].map((kept) => this.end(kept)))
  }
}
