import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { plainAddress } from './address-list.ts'
import { writeUses } from './keys.sql.ts'

const writeEveryMs = 2_000
const maxPending = 50_000

/**
 * Records when and from which address each key was last used. This is only displayed, so it is written every two seconds, outside the request path. A crash
 * loses the uses that were not written yet.
 */
export class KeyUses {
  private readonly db: Database
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private seen = new Map<number, { atMs: number; address: string | null }>()

  constructor(db: Database, log: Log) {
    this.db = db
    this.log = log
    this.timer = setInterval(() => void this.write(), writeEveryMs)
    this.timer.unref()
  }

  note(keyId: number, atMs: number, address: string | null): void {
    // Drop pending uses rather than grow without limit.
    if (this.seen.size >= maxPending) this.seen.clear()
    this.seen.set(keyId, { atMs, address: address === null ? null : plainAddress(address) })
  }

  private async write(): Promise<void> {
    if (this.seen.size === 0) return
    const seen = this.seen
    this.seen = new Map()
    try {
      await writeUses(
        this.db,
        [...seen].map(([keyId, { atMs, address }]) => ({ keyId, at: new Date(atMs), address })),
      )
    } catch (error) {
      this.log.info({ err: error, keys: seen.size }, 'Failed to save the last-used times of some keys; they were discarded.')
    }
  }

  /** Writes pending uses and stops the timer. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
  }
}
