/** Load of a drill: four processes of the service, clients that make charged calls, and an operator. At the end, every response is compared with the ledger. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '#server/db/prisma.ts'
import { ApiClient } from '../chaos/api-client.ts'
import { audit } from '../chaos/audit.ts'
import { type Cast, makeCast } from '../chaos/cast.ts'
import { Crowd, type RecordedAnswer } from '../chaos/crowd.ts'
import { findUnreportedCharges } from '../chaos/evidence.ts'
import { Members } from '../chaos/members.ts'
import { Operator } from '../chaos/operator.ts'
import { makeAccount, makeKey } from '../support/accounts.ts'
import { authSecret } from '../support/service-process.ts'

const clients = 24
const pauseMs = 100
const probeEveryMs = 20
const silentAfterMs = 15_000
const revocationEveryMs = 10_000

/** Starts the processes on a database, with their logs in a folder. */
export function startMembers(databaseUrl: string, folder: string): Promise<Members> {
  const { PATH = '', HOME = '' } = process.env
  return Members.start(folder, (_, publicUrl) => ({
    PATH,
    HOME,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'unused'),
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    NEXTAUTH_SECRET: authSecret,
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
  }))
}

/** Makes a paid call to one process every few milliseconds, and records when it succeeded. */
class PaidProbe {
  readonly times: number[] = []
  private readonly client = new ApiClient(silentAfterMs)
  private readonly running: Promise<void>
  private isStopping = false

  constructor(origin: string, key: string) {
    this.running = this.run(origin, key)
  }

  private async run(origin: string, key: string): Promise<void> {
    while (!this.isStopping) {
      const call = await this.client.get(origin, '/reference/products', key)
      if (call.kind === 'answered' && call.reply.status === 200) this.times.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, probeEveryMs))
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await this.running
    this.client.close()
  }
}

/** Result of a drill. `lost`: charges that responses reported but the ledger lacks. `doubled`: requests or Idempotency-Keys that were charged twice. */
export type Result = {
  readonly calls: number
  readonly charged: number
  readonly lost: number
  readonly doubled: number
  readonly unreported: number
  readonly unanswered: number
  readonly faults: readonly string[]
}

export class DrillLoad {
  readonly cast: Cast
  private readonly pool: Database
  private readonly crowd: Crowd
  private readonly operator: Operator
  private readonly probes: readonly PaidProbe[]

  private constructor(pool: Database, cast: Cast, members: Members, probeKey: string) {
    this.pool = pool
    this.cast = cast
    this.crowd = new Crowd(cast, { origins: members.origins }, { clients, pauseMs })
    this.operator = new Operator(pool, cast, revocationEveryMs)
    this.probes = members.origins.map((origin) => new PaidProbe(origin, probeKey))
  }

  static async start(pool: Database, members: Members): Promise<DrillLoad> {
    const account = await makeAccount(pool, { credits: 1_000_000, perMinute: 1_000_000, perDay: 10_000_000 })
    return new DrillLoad(pool, await makeCast(pool), members, (await makeKey(pool, account)).key)
  }

  get answers(): readonly RecordedAnswer[] {
    return this.crowd.answers
  }

  /** Returns the longest time that any process went without a charged call since `from`, in milliseconds. */
  longestGap(from: number): number {
    const gaps = this.probes.map(({ times }) => {
      const since = [from, ...times.filter((time) => time >= from)]
      return Math.max(...since.slice(1).map((time, at) => time - (since[at] ?? time)))
    })
    return Math.max(...gaps)
  }

  /** True if every process has served a charged call since `from`. */
  hasRecovered(from: number): boolean {
    return this.probes.every(({ times }) => (times.at(-1) ?? 0) > from)
  }

  async stop(): Promise<void> {
    await Promise.all([this.crowd.stop(), this.operator.stop(), ...this.probes.map((probe) => probe.stop())])
  }

  /** Compares the responses with the ledger of a database, by default the one that the load used. `answers` are the responses to compare. */
  async compare(pool = this.pool, answers = this.answers): Promise<Result> {
    const { telemetry } = this.crowd
    const granted = this.operator.granted
    const faults = [...this.crowd.faults, ...(await audit(pool, { cast: this.cast, answers, granted, expiresIdempotencyKeys: true, losesSums: true }))]
    const unreported = (await findUnreportedCharges(pool, this.cast, answers)).length
    const unanswered = telemetry.broken + telemetry.silent
    if (unreported > unanswered) faults.push(`${unreported} charges were never reported, but only ${unanswered} calls were unanswered`)
    return {
      calls: telemetry.calls,
      charged: answers.filter(({ credits }) => credits > 0).length,
      lost: faults.filter((fault) => fault.includes('missing from the log') || fault.includes('but was charged')).length,
      doubled: faults.filter((fault) => fault.includes('was logged') || fault.includes(', and so was')).length,
      unreported,
      unanswered,
      faults,
    }
  }
}
