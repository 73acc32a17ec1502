import type { Log } from '../log.ts'
import { Lane, LostError } from './lane.store.ts'

/** A record in the log of the database that means nothing and, being the last one, is on disk only when all before it are. */
const statement = "SELECT pg_logical_emit_message(true, 'svc', ''), pg_postmaster_start_time()"
const silentAfterMs = 5_000

type Waiting = { readonly server: string; readonly era: number; readonly resolve: () => void; readonly reject: (error: Error) => void }

/**
 * Waits until what was committed is on disk. A batch commits without waiting for that, so that the next one has the wallets at once, and nobody is told of it
 * before this says so. One flush serves every batch that was committed before it began.
 */
export class Flush {
  private readonly lane: Lane
  private waiting: Waiting[] = []
  private sent: number | null = null
  /** Which connection this is. A server that recovers from a crash of one of its processes goes on under the same start time, but breaks every connection. */
  era = 0

  constructor(url: string, log: Log) {
    this.lane = new Lane(url, log, () => {
      this.era++
    })
  }

  open(): Promise<void> {
    return this.lane.open()
  }

  /**
   * Resolves when everything that `server` has committed up to now is on its disk; a server is known by when it was started. `era` is that of before the
   * commit was asked for.
   * @throws LostError when that is not known: the connection broke since, or the database is another one by now and may never have had it.
   */
  reached(server: string, era: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ server, era, resolve, reject })
      if (this.sent === null) void this.run()
    })
  }

  /** Cuts a connection that has fallen silent. */
  sweep(): void {
    if (this.sent !== null && performance.now() - this.sent > silentAfterMs) this.lane.cut()
  }

  private tell(served: readonly Waiting[], server: string | null | undefined): void {
    for (const one of served) {
      if (one.server === server && one.era === this.era) one.resolve()
      else one.reject(new LostError(new Error('The database may have been started anew since the batch was committed.')))
    }
  }

  private async run(): Promise<void> {
    const served = this.waiting
    this.waiting = []
    this.sent = performance.now()
    try {
      const [, server] = await this.lane.run('flush', statement, [])
      this.tell(served, server)
    } catch (error) {
      // Whoever came meanwhile is as little sure of the database as those that this flush was for.
      for (const one of served.concat(this.waiting)) one.reject(error instanceof LostError ? error : new LostError(error))
      this.waiting = []
    } finally {
      this.sent = null
    }
    if (this.waiting.length > 0) void this.run()
  }

  close(): Promise<void> {
    return this.lane.close()
  }
}

/** What tells when batches that were committed are on disk. */
export type Durability = Pick<Flush, 'open' | 'era' | 'reached' | 'sweep' | 'close'>

/**
 * Behind a pooler a batch waits for the disk with its commit: the connections to the server are the pooler's, so nobody here would hear that they broke
 * between a commit and its flush, and what was not on disk went with them.
 */
export const onDiskWithCommit: Durability = {
  era: 0,
  open: async () => undefined,
  reached: async () => undefined,
  sweep: () => undefined,
  close: async () => undefined,
}
