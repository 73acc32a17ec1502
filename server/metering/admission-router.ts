import { setTimeout as sleep } from 'node:timers/promises'
import { splitHosts } from '#server/db/primary-client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { WriteEvidence } from '#server/db/write-check.ts'
import type { Log } from '#server/observability/log.ts'
import { admissions } from '#server/observability/telemetry/counters.ts'
import type { CallTrace } from '#server/observability/telemetry/tracer.ts'
import { Admission, answerTimeoutMs, queueLimit } from './admission.ts'
import { readAccountShards, readShardPlaces, type ShardPlace } from './admission-connection.sql.ts'
import { type AdmissionRequest, type Outcome, verdicts } from './batch.ts'
import { answerRequest, type PendingRequest, timeOut } from './pending-request.ts'

const rereadAfterMs = 100
const rereadTimeoutMs = 1_000
const openTimeoutMs = 2_000
const closeTimeoutMs = 10_000
/** Time limit for the coordinator's connections to finish their batches after its tables are distributed. */
const retireTimeoutMs = 60_000

/** Returns the URL of a node, with the user, the password and the parameters of the coordinator's URL. */
function nodeUrl(coordinatorUrl: string, { host, port }: ShardPlace): string {
  const [first = coordinatorUrl] = splitHosts(coordinatorUrl)
  const url = new URL(first)
  url.hostname = host
  url.port = String(port)
  return url.href
}

/** Returns an outcome that makes the pipeline read the key again, because its record predates the distribution of the tables and has no shard. */
const staleOutcome = ({ serviceVersion }: AdmissionRequest): Outcome => ({
  ...{ verdict: verdicts.stale, units: 0, credits: 0, balance: 0, serviceVersion, now: 0 },
  ...{ minuteLimit: 0, minuteLeft: 0, dayLimit: 0, dayLeft: 0 },
})

const isLate = ({ arrived }: PendingRequest): boolean => performance.now() - arrived > answerTimeoutMs

/**
 * Sends each request to the server that can charge it: the only server or, on a Citus cluster, the node that has the account's shard. Each node has its own
 * queue, connections and reconciliation, so a node that fails doesn't delay requests to the others. When a shard moves, or when the tables of the only server
 * are distributed, a batch sent to the old location changes nothing. Its requests wait until the new location has been read from Citus's metadata.
 */
export class AdmissionRouter implements Pick<Admission, 'admit' | 'close' | 'connections' | 'depth' | 'open' | 'writes'> {
  readonly writes: WriteEvidence = { writtenAt: Number.NEGATIVE_INFINITY, refusedAt: Number.NEGATIVE_INFINITY }
  private readonly url: string
  private readonly pool: Database
  private readonly log: Log
  /** The only server; null on a cluster. */
  private server: Admission | null
  /** Previous only server, until it has finished its batches. */
  private retired: Admission | null = null
  private readonly nodes = new Map<string, Admission>()
  private shards = new Map<string, Admission>()
  private isRereading = false
  private moved: PendingRequest[] = []
  private lost: PendingRequest[] = []
  private closed = false

  /** `url` is the address of the only server or of the coordinator. */
  constructor(url: string, places: readonly ShardPlace[], { pool, log, isPooled }: { pool: Database; log: Log; isPooled: boolean }) {
    this.url = url
    this.pool = pool
    this.log = log
    this.server = places.length === 0 ? new Admission(url, log, { isPooled, onMoved: this.reroute, writes: this.writes }) : null
    this.place(places)
  }

  /** True if the database is a cluster. */
  get isCluster(): boolean {
    return this.server === null
  }

  /** Opens the connections. Doesn't wait for nodes that are down: only requests for their accounts fail. */
  async open(): Promise<void> {
    if (this.server !== null) return this.server.open()
    await Promise.race([Promise.all([...this.nodes.values()].map((node) => node.open())), sleep(openTimeoutMs, undefined, { ref: false })])
  }

  private place(places: readonly ShardPlace[]): void {
    if (places.length === 0) return
    this.shards = new Map(places.map((place) => [place.shard, this.getNode(nodeUrl(this.url, place))]))
    if (this.server === null) return
    this.log.info({ shards: places.length }, 'The charging tables have been distributed. Calls are now charged on the nodes of the cluster.')
    this.retired = this.server
    this.server = null
    void this.retired.close(retireTimeoutMs).finally(() => {
      this.retired = null
    })
  }

  private getNode(url: string): Admission {
    let node = this.nodes.get(url)
    if (node === undefined) {
      node = new Admission(url, this.log, { isNode: true, onMoved: this.reroute, writes: this.writes })
      this.nodes.set(url, node)
      void node.open()
    }
    return node
  }

  /**
   * Takes requests that were sent to the wrong node for their shard, and resends them once the locations of the shards have been read. They keep their arrival
   * time, so they still time out. `isLost` requests are reconciled on the right node, even if their callers already have a response.
   */
  private readonly reroute = (pendingRequests: readonly PendingRequest[], isLost: boolean): void => {
    if (isLost) this.lost.push(...pendingRequests)
    else for (const pending of pendingRequests) if (!pending.answered) this.hold(pending)
    if (!this.isRereading) void this.reread()
  }

  private hold(pending: PendingRequest): void {
    if (this.moved.length < queueLimit) {
      this.moved.push(pending)
      return
    }
    admissions.queueFull++
    answerRequest(pending, null)
  }

  private async reread(): Promise<void> {
    this.isRereading = true
    do {
      // The new location may become visible here later than on the node.
      await sleep(rereadAfterMs)
      await Promise.race([this.readPlaces(), sleep(rereadTimeoutMs, undefined, { ref: false })])
      this.isRereading = false
      this.sendHeld()
      this.isRereading = this.lost.length > 0 && !this.closed
    } while (this.isRereading)
  }

  private sendHeld(): void {
    const { moved, lost } = this
    this.moved = []
    this.lost = []
    for (const pending of [...moved, ...lost]) if (isLate(pending)) timeOut(pending)
    for (const pending of moved) if (!pending.answered) this.send(pending)
    for (const pending of lost) this.sendLost(pending)
  }

  private async readPlaces(): Promise<void> {
    try {
      this.place(await readShardPlaces(this.pool))
      const unplaced = this.isCluster ? this.lost.filter(({ request }) => request.shard === null) : []
      if (unplaced.length === 0) return
      const shards = await readAccountShards(this.pool, [...new Set(unplaced.map(({ request }) => request.accountId))])
      for (const pending of unplaced) pending.request = { ...pending.request, shard: shards.get(pending.request.accountId) ?? null }
    } catch (error) {
      this.log.warn({ err: error }, 'Failed to read the locations of the shards.')
    }
  }

  private send(pending: PendingRequest): void {
    if (this.server !== null) {
      if (this.isRereading) this.hold(pending)
      else this.server.enqueue(pending)
      return
    }
    const { shard } = pending.request
    const node = this.shards.get(shard ?? '')
    if (node !== undefined) node.enqueue(pending)
    else answerRequest(pending, shard === null ? staleOutcome(pending.request) : null)
  }

  private sendLost(pending: PendingRequest): void {
    const place = this.server ?? this.shards.get(pending.request.shard ?? '')
    if (place === undefined) this.lost.push(pending)
    else place.addLost([pending])
  }

  /** Like `Admission.admit`. Fails requests with an unknown shard. */
  admit(request: AdmissionRequest, trace: CallTrace | null = null): Promise<Outcome | null> {
    return new Promise((answer) => this.send({ request, trace, arrived: performance.now(), answer, answered: false }))
  }

  private get places(): Admission[] {
    return this.server === null ? [...this.nodes.values()] : [this.server]
  }

  get depth(): Admission['depth'] {
    const depth = { waiting: this.moved.length, sent: 0, lost: this.lost.length }
    for (const place of this.retired === null ? this.places : [...this.places, this.retired]) {
      depth.waiting += place.depth.waiting
      depth.sent += place.depth.sent
      depth.lost += place.depth.lost
    }
    return depth
  }

  get connections(): Admission['connections'] {
    const all = this.places.map(({ connections }) => connections)
    return { open: all.reduce((sum, { open }) => sum + open, 0), wanted: all.reduce((sum, { wanted }) => sum + wanted, 0) }
  }

  async close(timeoutMs = closeTimeoutMs): Promise<void> {
    const end = performance.now() + timeoutMs
    // Waits for all nodes together, because lost requests of an unreachable node are rerouted to the others.
    const isBusy = () => this.retired !== null || Object.values(this.depth).some((count) => count > 0)
    while (isBusy() && performance.now() < end) await sleep(10)
    this.closed = true
    await Promise.all(this.places.map((place) => place.close(Math.max(0, end - performance.now()))))
  }
}

/** Opens the admission for a database: a server, or the nodes of a cluster whose tables are distributed. */
export async function createAdmission(url: string, pool: Database, log: Log, isPooled: boolean): Promise<AdmissionRouter> {
  return new AdmissionRouter(url, await readShardPlaces(pool), { pool, log, isPooled })
}
