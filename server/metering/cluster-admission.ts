import { setTimeout as sleep } from 'node:timers/promises'
import { splitHosts } from '#server/db/primary-client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { WriteEvidence } from '#server/db/write-check.ts'
import type { Log } from '#server/observability/log.ts'
import type { CallTrace } from '#server/observability/telemetry/tracer.ts'
import { Admission } from './admission.ts'
import { readShardPlaces, type ShardPlace } from './admission-connection.sql.ts'
import type { AdmissionRequest, Outcome } from './batch.ts'
import { answerRequest, type PendingRequest } from './pending-request.ts'

const rereadAfterMs = 100
const rereadTimeoutMs = 1_000
const openTimeoutMs = 2_000

/** Returns the URL of a node, with the user, the password and the parameters of the coordinator's URL. */
function nodeUrl(coordinatorUrl: string, { host, port }: ShardPlace): string {
  const [first = coordinatorUrl] = splitHosts(coordinatorUrl)
  const url = new URL(first)
  url.hostname = host
  url.port = String(port)
  return url.href
}

/**
 * Admission on a Citus cluster: sends each request directly to the node that has the account's shard. Each node has its own queue, connections and
 * reconciliation, so a node that fails doesn't delay requests to the others. When a shard moves, its new node is read from Citus's metadata; a batch that was sent
 * to the old node changed nothing and is sent again.
 */
export class ClusterAdmission implements Pick<Admission, 'admit' | 'close' | 'connections' | 'depth' | 'open' | 'writes'> {
  readonly writes: WriteEvidence = { writtenAt: Number.NEGATIVE_INFINITY, refusedAt: Number.NEGATIVE_INFINITY }
  private readonly url: string
  private readonly pool: Database
  private readonly log: Log
  private readonly nodes = new Map<string, Admission>()
  private shards = new Map<string, Admission>()
  private rereading: Promise<void> | null = null
  private moved: PendingRequest[] = []

  /** `url` is the address of the coordinator. */
  constructor(url: string, places: readonly ShardPlace[], pool: Database, log: Log) {
    this.url = url
    this.pool = pool
    this.log = log
    this.place(places)
  }

  /** Opens the connections to all nodes. Doesn't wait for nodes that are down: only requests of their accounts fail. */
  async open(): Promise<void> {
    await Promise.race([Promise.all([...this.nodes.values()].map((node) => node.open())), sleep(openTimeoutMs, undefined, { ref: false })])
  }

  private place(places: readonly ShardPlace[]): void {
    this.shards = new Map(places.map((place) => [place.shard, this.getNode(nodeUrl(this.url, place))]))
  }

  private getNode(url: string): Admission {
    let node = this.nodes.get(url)
    if (node === undefined) {
      node = new Admission(url, this.log, { onMoved: (pendingRequests) => this.reroute(pendingRequests), writes: this.writes })
      this.nodes.set(url, node)
      void node.open()
    }
    return node
  }

  /** Sends requests again, once the places of the shards have been read again. They keep their time of arrival, so they still time out. */
  private reroute(pendingRequests: readonly PendingRequest[]): void {
    this.moved.push(...pendingRequests)
    this.rereading ??= this.reread().finally(() => {
      this.rereading = null
    })
  }

  private async reread(): Promise<void> {
    // A new place can be visible here later than on the node.
    await sleep(rereadAfterMs)
    try {
      const places = await Promise.race([readShardPlaces(this.pool), sleep(rereadTimeoutMs, null, { ref: false })])
      if (places !== null) this.place(places)
    } catch (error) {
      this.log.warn({ err: error }, 'Failed to read the places of the shards.')
    }
    const pendingRequests = this.moved
    this.moved = []
    for (const pending of pendingRequests) this.send(pending)
  }

  private send(pending: PendingRequest): void {
    const node = this.shards.get(pending.request.shard ?? '')
    if (node === undefined) answerRequest(pending, null)
    else node.enqueue(pending)
  }

  /** Like `Admission.admit`. Fails requests without a known shard. */
  admit(request: AdmissionRequest, trace: CallTrace | null = null): Promise<Outcome | null> {
    return new Promise((answer) => this.send({ request, trace, arrived: performance.now(), answer, answered: false }))
  }

  get depth(): Admission['depth'] {
    const depth = { waiting: this.moved.length, sent: 0, lost: 0 }
    for (const node of this.nodes.values()) {
      depth.waiting += node.depth.waiting
      depth.sent += node.depth.sent
      depth.lost += node.depth.lost
    }
    return depth
  }

  get connections(): Admission['connections'] {
    const all = [...this.nodes.values()].map(({ connections }) => connections)
    return { open: all.reduce((sum, { open }) => sum + open, 0), wanted: all.reduce((sum, { wanted }) => sum + wanted, 0) }
  }

  async close(timeoutMs?: number): Promise<void> {
    await Promise.all([...this.nodes.values()].map((node) => node.close(timeoutMs)))
  }
}

/** Returns the admission for a database: a server, or the nodes of a cluster whose tables are distributed. */
export async function createAdmission(url: string, pool: Database, log: Log, isPooled: boolean): Promise<Admission | ClusterAdmission> {
  const places = await readShardPlaces(pool)
  return places.length === 0 ? new Admission(url, log, { isPooled }) : new ClusterAdmission(url, places, pool, log)
}
