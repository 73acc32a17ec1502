/** Makes concurrent calls from several gateways, and adds up the charges that the responses report. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '#server/db/prisma.ts'
import type { createAdmission } from '#server/metering/admission-router.ts'
import { type AdmissionRequest, verdicts } from '#server/metering/batch.ts'
import { buildRequest, type Payer } from '../metering/statement.ts'

export type Gateway = Awaited<ReturnType<typeof createAdmission>>
export type Sums = { credits: number; granted: number; failed: number }

export class Callers {
  private readonly pool: Database
  private readonly gateways: readonly Gateway[]
  private readonly shards = new Map<number, string | null>()
  version = 0

  constructor(pool: Database, gateways: readonly Gateway[]) {
    this.pool = pool
    this.gateways = gateways
  }

  /** Returns the shard of an account; null on a single server. */
  async shardOf({ accountId }: Payer): Promise<string | null> {
    const known = this.shards.get(accountId)
    if (known !== undefined) return known
    const { rows } = await this.pool.query<{ shard: string | null }>('SELECT account_shard($1)::text AS shard', [accountId])
    const shard = rows[0]?.shard ?? null
    this.shards.set(accountId, shard)
    return shard
  }

  async request(payer: Payer, changes: Partial<AdmissionRequest> = {}): Promise<AdmissionRequest> {
    return buildRequest(payer, { serviceVersion: this.version, shard: await this.shardOf(payer), ...changes })
  }

  private async callUntil(isDone: () => boolean, payer: Payer, gateway: Gateway, sums: Sums): Promise<void> {
    while (!isDone()) {
      const outcome = await gateway.admit(await this.request(payer, { units: 3 }))
      if (outcome?.verdict === verdicts.stale) this.shards.delete(payer.accountId)
      else if (outcome === null) sums.failed++
      else {
        sums.granted++
        sums.credits += outcome.credits
      }
    }
  }

  /** Calls with all payers from all gateways until `work` is done. Returns the credits that responses reported, and the numbers of granted and failed calls. */
  async callDuring(payers: readonly Payer[], work: () => Promise<unknown>): Promise<Sums> {
    const sums: Sums = { credits: 0, granted: 0, failed: 0 }
    let isDone = false
    const callers = payers.flatMap((payer) => this.gateways.map((gateway) => this.callUntil(() => isDone, payer, gateway, sums)))
    await work().finally(() => {
      isDone = true
    })
    await Promise.all(callers)
    return sums
  }

  /** Returns the credits charged in the log, minus reversals. */
  async charged(): Promise<number> {
    const { rows } = await this.pool.query<{ credits: string }>(
      "SELECT (SELECT coalesce(sum(credits), 0) FROM request_log) - (SELECT coalesce(sum(credits), 0) FROM ledger_entry WHERE kind = 'reversal') AS credits",
    )
    return Number(rows[0]?.credits)
  }

  /** Waits until no lost batch is being reconciled. */
  async settled(): Promise<void> {
    for (const gateway of this.gateways) await expect.poll(() => gateway.depth.lost, { timeout: 20_000 }).toBe(0)
    await sleep(100)
  }
}
