import { setTimeout as sleep } from 'node:timers/promises'
import { ApiClient } from './api-client.ts'
import type { Cast } from './cast.ts'
import { LoadKind } from './load-kind.ts'
import { type Claim, chooseScenario, getClaim, getFaults, pick, type Scenario } from './scenario.ts'

/** Response that a client received, to be compared with the ledger later. */
export type RecordedAnswer = Claim & { readonly keyId: number; readonly accountId: number; readonly idempotencyKey: string | null }

export type CallCounts = { calls: number; answered: number; failed: number; refused: number; broken: number; silent: number }

const silentAfterMs = 12_000

/** URLs of the processes that serve the API. */
export type Reachable = { readonly origins: readonly string[] }

/** Clients that call all processes of a fleet concurrently until stopped, and record every response. */
export class Crowd {
  readonly answers: RecordedAnswer[] = []
  readonly faults: string[] = []
  readonly latenciesMs: number[] = []
  readonly load = new LoadKind('reads of /v1')
  readonly telemetry: CallCounts = { calls: 0, answered: 0, failed: 0, refused: 0, broken: 0, silent: 0 }
  /** Times at which failed calls were made. Recovery times are computed from these and `successes`. */
  readonly failures: number[] = []
  readonly successes: { sentAt: number; answeredAt: number }[] = []
  private readonly client = new ApiClient(silentAfterMs)
  private readonly tags = new Map<string, string>()
  private readonly loops: Promise<void>[]
  private readonly cast: Cast
  private readonly fleet: Reachable
  private readonly pauseMs: number
  private stopping = false

  /** Starts the clients, each of which pauses for up to `pauseMs` between calls. */
  constructor(cast: Cast, fleet: Reachable, { clients, pauseMs }: { clients: number; pauseMs: number }) {
    this.cast = cast
    this.fleet = fleet
    this.pauseMs = pauseMs
    this.loops = Array.from({ length: clients }, () => this.loop())
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      await this.callOnce()
      await sleep(Math.random() * this.pauseMs)
    }
  }

  private async callOnce(): Promise<void> {
    const scenario = chooseScenario(this.cast, this.tags)
    const sentAt = performance.now()
    const call = await this.client.get(pick(this.fleet.origins), scenario.path, scenario.key.key, scenario.headers)
    const answeredAt = performance.now()
    this.load.note(sentAt, call.kind === 'answered' && call.reply.status !== 500)
    this.telemetry.calls++
    if (call.kind !== 'answered') {
      this.telemetry[call.kind]++
      this.failures.push(answeredAt)
      if (call.kind === 'silent') this.faults.push(`a call to ${scenario.path} got no answer within ${silentAfterMs / 1000} s`)
      return
    }
    const claim = getClaim(call.reply)
    this.telemetry.answered++
    this.latenciesMs.push(answeredAt - sentAt)
    if (claim.status === 500) {
      this.telemetry.failed++
      this.failures.push(answeredAt)
    } else this.successes.push({ sentAt, answeredAt })
    this.note(scenario, claim)
    const tag = call.reply.headers.etag
    if (tag !== undefined) this.tags.set(`${scenario.key.part === 'sample'} ${scenario.path}`, tag)
    for (const fault of getFaults(scenario, call.reply, claim, sentAt)) {
      this.faults.push(`${scenario.key.part} ${scenario.path} ${JSON.stringify(scenario.headers)}: ${claim.status} ${claim.id}: ${fault}`)
    }
  }

  private note(scenario: Scenario, claim: Claim): void {
    const { key, idempotencyKey } = scenario
    this.answers.push({ ...claim, keyId: key.keyId, accountId: key.account.id, idempotencyKey })
  }

  /** Waits for calls in progress. */
  async stop(): Promise<void> {
    this.stopping = true
    await Promise.all(this.loops)
    this.client.close()
  }
}
