import type { Pool } from 'pg'
import { newRequestId } from '#server/ids.ts'
import { type KeyRow, readKey } from '#server/keys/keys.store.ts'
import { Admission } from '#server/metering/admission.ts'
import { type Outcome, verdicts } from '#server/metering/batch.ts'
import type { Log } from '#server/observability/log.ts'
import type { ShardMap } from './shard-map.ts'
import { findHome } from './shards.store.ts'

/** Database with some of the accounts and all of their data: keys, wallets, ledger and log. */
export type Shard = { readonly name: string; readonly url: string; readonly pool: Pool }

export type Call = { readonly keyHash: Buffer; readonly units: number }

/** Result of a call. Without an outcome, its shard was unavailable and nothing was charged. */
export type Answered = { readonly id: string; readonly accountId: number; readonly shard: number; readonly outcome: Outcome | null }

/** `/rates`: one credit per row. */
const endpoint = 3
const maxReloads = 3

type Facts = { readonly shard: number; readonly accountId: number; key: KeyRow | null }

/**
 * Gateway for several databases: the unchanged metering of the service, once per shard. Concurrent calls are batched by shard, because each
 * shard has a separate queue; an unresponsive shard delays only its own calls.
 */
export class ShardedGateway {
  private readonly directory: Pool
  private readonly map: ShardMap
  private readonly shards: readonly Shard[]
  private readonly admissions: readonly Admission[]
  private readonly known = new Map<string, Facts>()

  constructor(directory: Pool, map: ShardMap, shards: readonly Shard[], log: Log) {
    this.directory = directory
    this.map = map
    this.shards = shards
    this.admissions = shards.map(({ url }) => new Admission(url, log))
  }

  async open(): Promise<void> {
    await Promise.all(this.admissions.map((admission) => admission.open()))
  }

  async close(): Promise<void> {
    await Promise.all(this.admissions.map((admission) => admission.close()))
  }

  /** @throws Error if no account has the key */
  private async readPublishedValues(keyHash: Buffer): Promise<Facts> {
    const name = keyHash.toString('latin1')
    const known = this.known.get(name)
    if (known) return known
    const accountId = await findHome(this.directory, keyHash)
    if (accountId === null) throw new Error('No account has this key.')
    const facts = { shard: this.map.findShard(accountId), accountId, key: null }
    this.known.set(name, facts)
    return facts
  }

  /** Reads the key from its account's shard. Returns null if the shard does not respond. */
  private async load(facts: Facts, keyHash: Buffer): Promise<KeyRow | null> {
    const shard = this.shards[facts.shard]
    // Calls of an unavailable shard fail uncharged until it is back.
    facts.key = (shard && (await readKey(shard.pool, keyHash).catch(() => null))) ?? null
    return facts.key
  }

  async call({ keyHash, units }: Call): Promise<Answered> {
    const facts = await this.readPublishedValues(keyHash)
    const { shard, accountId } = facts
    let id = newRequestId()
    for (let reload = 0; reload < maxReloads; reload++) {
      const key = facts.key ?? (await this.load(facts, keyHash))
      if (key === null) break
      const outcome = await this.admit(shard, id, key, units)
      if (outcome?.verdict !== verdicts.stale) return { id, accountId, shard, outcome }
      facts.key = null
      id = newRequestId()
    }
    return { id, accountId, shard, outcome: null }
  }

  private async admit(shard: number, id: string, key: KeyRow, units: number): Promise<Outcome | null> {
    const of = {
      accountId: Number(key.account_id),
      accountVersion: key.account_version,
      keyId: Number(key.id),
      keyVersion: key.key_version,
      isLive: true,
      capId: null,
    }
    const answer = { endpoint, status: 200, error: 0, stage: 0, price: 1, units, ceiling: null, idempotency: null } as const
    return (await this.admissions[shard]?.admit({ id, serviceVersion: key.service_version, ...of, ...answer })) ?? null
  }
}
