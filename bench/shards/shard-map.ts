/** Many more than the number of shards, so that a new shard takes over some slots and accounts in other slots stay. */
const slots = 256

/** Assigns slots by a hash of the id, so that consecutive accounts do not all get the same shard. */
const toSlot = (accountId: number): number => (Math.imul(accountId, 0x9e3779b1) >>> 8) % slots

/** Returns the shard of an account. The account is the shard key: everything that a call writes belongs to one account. */
export class ShardMap {
  private readonly shardOfSlot: readonly number[]

  constructor(shards: number) {
    this.shardOfSlot = Array.from({ length: slots }, (_, slot) => slot % shards)
  }

  findShard(accountId: number): number {
    return this.shardOfSlot[toSlot(accountId)] ?? 0
  }
}
