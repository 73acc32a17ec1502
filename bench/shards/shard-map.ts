/** Many more slots than shards: a new shard takes over some of them, and no account of another slot moves. */
const slots = 256

/** Slots lie where a hash of the id puts them, so that accounts made one after another do not all land on one shard. */
const slotOf = (accountId: number): number => (Math.imul(accountId, 0x9e3779b1) >>> 8) % slots

/** Which shard an account lives on. The account is the shard key: everything that a call writes belongs to one account. */
export class ShardMap {
  private readonly shardOfSlot: readonly number[]

  constructor(shards: number) {
    this.shardOfSlot = Array.from({ length: slots }, (_, slot) => slot % shards)
  }

  shardOf(accountId: number): number {
    return this.shardOfSlot[slotOf(accountId)] ?? 0
  }
}
