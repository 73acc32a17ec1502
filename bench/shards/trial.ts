/** Makes thousands of calls from several gateways to several shards, one of which is unavailable at times, and then checks the ledgers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { verifyLedger } from '#server/billing/ledger.ts'
import { hashKey, newKey } from '#server/keys/key-format.ts'
import { verdicts } from '#server/metering/batch.ts'
import type { Log } from '#server/observability/log.ts'
import { type Answered, type Shard, ShardedGateway } from './gateway.ts'
import { ShardMap } from './shard-map.ts'
import { fillDirectory, fillShard, type Home, loggedOn, readSpent } from './shards.store.ts'

/** A shard that can be taken down and restored. */
export type TrialShard = Shard & { readonly takeDown: () => Promise<void>; readonly restore: () => Promise<void> }

export type Trial = {
  readonly directory: Pool
  readonly shards: readonly TrialShard[]
  readonly gateways: number
  readonly accounts: number
  /** Callers of each gateway; each uses accounts of one shard, like a customer. */
  readonly callers: number
  readonly creditsEach: number
  /** Shards to take down one after another, and for how long. */
  readonly outages: readonly { readonly shard: number; readonly ms: number }[]
  /** Duration of calls before, between and after the outages. */
  readonly betweenMs: number
  readonly log: Log
}

export type ShardReport = {
  readonly name: string
  readonly accounts: number
  readonly charged: number
  readonly refused: number
  readonly failed: number
  readonly credits: number
  /** Calls charged while another shard was down. */
  readonly duringOthersOutage: number
}

export type TrialReport = { readonly shards: readonly ShardReport[]; readonly faults: readonly string[]; readonly seconds: number }

/** Creates the accounts, each on its shard and in the directory. Ids are unique over all shards. */
export async function settleAccounts(trial: Pick<Trial, 'directory' | 'shards' | 'accounts' | 'creditsEach'>, map: ShardMap): Promise<Home[][]> {
  const homes = Array.from({ length: trial.accounts }, (_, at): Home => ({ accountId: at + 1, keyHash: hashKey(newKey('live')) }))
  await fillDirectory(trial.directory, homes)
  const byShard = trial.shards.map((_, shard) => homes.filter(({ accountId }) => map.findShard(accountId) === shard))
  for (const [shard, { pool }] of trial.shards.entries()) await fillShard(pool, byShard[shard] ?? [], trial.creditsEach)
  return byShard
}

type Result = Answered & { readonly during: number | null }

/** Makes sequential calls until stopped, each of up to four rows, from a fixed sequence. */
async function callOn(gateway: ShardedGateway, homes: readonly Home[], seed: number, isOver: () => boolean, tell: (answered: Answered) => void): Promise<void> {
  for (let turn = seed; !isOver(); turn = (turn * 48_271) % 2_147_483_647) {
    const home = homes[turn % homes.length]
    if (!home) return
    tell(await gateway.call({ keyHash: home.keyHash, units: 1 + (turn % 4) }))
  }
}

/** Checks one shard; `seen` are the requests of the previous ones. */
async function findShardFaults(
  { name, pool }: Shard,
  isOwn: (accountId: number) => boolean,
  seen: Set<string>,
  credits: ReadonlyMap<number, number>,
): Promise<string[]> {
  const { differences } = await verifyLedger(pool)
  const logged = await loggedOn(pool)
  const foreign = logged.filter(({ accountId }) => !isOwn(accountId))
  const twice = logged.filter(({ id }) => seen.has(id))
  for (const { id } of logged) seen.add(id)
  const spent = [...(await readSpent(pool))].filter(([accountId, sum]) => sum !== (credits.get(accountId) ?? 0))
  return [
    ...(differences.length > 0 ? [`${name}: ${differences.length} balances are not the sum of their entries.`] : []),
    ...(foreign.length > 0 ? [`${name}: ${foreign.length} requests of accounts of other shards.`] : []),
    ...(twice.length > 0 ? [`${name}: ${twice.length} requests are on another shard too.`] : []),
    ...spent.map(([accountId, sum]) => `${name}: account ${accountId} got reports of ${credits.get(accountId) ?? 0} credits and charged ${sum}.`),
  ]
}

/** Checks each shard, and that no account or request is on two of them. */
async function findFaults(shards: readonly Shard[], map: ShardMap, results: readonly Result[]): Promise<string[]> {
  const seen = new Set<string>()
  const credits = new Map<number, number>()
  for (const { accountId, outcome } of results) credits.set(accountId, (credits.get(accountId) ?? 0) + (outcome?.credits ?? 0))
  const faults: string[] = []
  for (const [at, shard] of shards.entries()) faults.push(...(await findShardFaults(shard, (accountId) => map.findShard(accountId) === at, seen, credits)))
  const unknown = results.filter(({ id, outcome }) => outcome !== null && outcome.credits > 0 && !seen.has(id))
  return unknown.length === 0 ? faults : [...faults, `${unknown.length} calls were results of a charge that is on no shard.`]
}

function toReport(trial: Trial, byShard: readonly Home[][], results: readonly Result[]): ShardReport[] {
  return trial.shards.map(({ name }, shard) => {
    const own = results.filter((one) => one.shard === shard)
    const charged = own.filter(({ outcome }) => outcome?.verdict === verdicts.granted)
    return {
      name,
      accounts: byShard[shard]?.length ?? 0,
      charged: charged.length,
      refused: own.filter(({ outcome }) => outcome !== null && outcome.verdict !== verdicts.granted).length,
      failed: own.filter(({ outcome }) => outcome === null).length,
      credits: charged.reduce((sum, { outcome }) => sum + (outcome?.credits ?? 0), 0),
      duringOthersOutage: charged.filter(({ during }) => during !== null && during !== shard).length,
    }
  })
}

export async function runTrial(trial: Trial): Promise<TrialReport> {
  const map = new ShardMap(trial.shards.length)
  const byShard = await settleAccounts(trial, map)
  const gateways = Array.from({ length: trial.gateways }, () => new ShardedGateway(trial.directory, map, trial.shards, trial.log))
  await Promise.all(gateways.map((gateway) => gateway.open()))
  const started = performance.now()
  const results: Result[] = []
  let away: number | null = null
  let isOver = false
  const calling = gateways.flatMap((gateway, at) =>
    Array.from({ length: trial.callers }, (_, caller) => {
      const homes = byShard[caller % trial.shards.length] ?? []
      return callOn(
        gateway,
        homes,
        1 + at * trial.callers + caller,
        () => isOver,
        (answered) => results.push({ ...answered, during: away }),
      )
    }),
  )
  await sleep(trial.betweenMs)
  for (const { shard, ms } of trial.outages) {
    await trial.shards[shard]?.takeDown()
    away = shard
    await sleep(ms)
    away = null
    await trial.shards[shard]?.restore()
    await sleep(trial.betweenMs)
  }
  isOver = true
  await Promise.all(calling)
  // Lost batches must be reconciled before the connections close.
  await Promise.all(gateways.map((gateway) => gateway.close()))
  const faults = await findFaults(trial.shards, map, results)
  return { shards: toReport(trial, byShard, results), faults, seconds: (performance.now() - started) / 1_000 }
}
