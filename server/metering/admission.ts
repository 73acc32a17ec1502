import { diskFull, getCode } from '#server/db/database-errors.ts'
import type { WriteEvidence } from '#server/db/write-check.ts'
import type { Log } from '#server/observability/log.ts'
import { admissions } from '#server/observability/telemetry/counters.ts'
import { type CallTrace, tracing } from '#server/observability/telemetry/tracer.ts'
import { AdmissionConnection, isMoved, LostError } from './admission-connection.sql.ts'
import type { AdmissionRequest, Outcome } from './batch.ts'
import { BatchExecutor } from './batch-executor.ts'
import { BatchReconciler, type OnMoved } from './batch-reconciler.ts'
import { answerRequest, type PendingRequest, takeBatch, timeOut } from './pending-request.ts'

type Batch = { readonly connection: AdmissionConnection; readonly pendingRequests: PendingRequest[]; readonly sent: number }

export type AdmissionOptions = {
  /** True if the URL is the address of a connection pooler in transaction mode. */
  readonly isPooled?: boolean
  /** True if the URL is the address of a node of a cluster. */
  readonly isNode?: boolean
  readonly onMoved?: OnMoved | null
  /** Times of the last writes, if shared with other servers. */
  readonly writes?: WriteEvidence
}

const noWrites = (): WriteEvidence => ({ writtenAt: Number.NEGATIVE_INFINITY, refusedAt: Number.NEGATIVE_INFINITY })

const connectionCount = 3
const batchSize = 256
/** Minimum queue length for sending a second batch while one is in flight. With fewer requests it is cheaper to wait for a larger batch. */
const minParallelBatch = 48
/**
 * Bounds of the flush delay. The delay is twice the time that PostgreSQL took to decide the last batch. A batch smaller than `minParallelBatch` is sent after
 * this delay, because by then the batch in flight is probably waiting for the disk and no longer holds wallet locks.
 */
const minFlushDelayMs = 2
const maxFlushDelayMs = 50
export const queueLimit = 2_048
export const answerTimeoutMs = 2_000
/** Time after which a connection is cut if its batch in flight has had no response. */
const silentAfterMs = 5_000
const sweepEveryMs = 50

const fullDisk = 'The database disk is full (SQLSTATE 53100). Calls fail uncharged until space is freed; no restart is needed.'

/**
 * Collects requests and has PostgreSQL process them in batches: requests that arrive while a batch is in flight go into the next one. The process keeps no
 * balances in memory: only the admission statement reads and writes them.
 */
export class Admission {
  /** Times of the latest successful and failed writes. Every batch writes, so they show whether the database accepts writes. */
  readonly writes: WriteEvidence
  private readonly log: Log
  private readonly onMoved: AdmissionOptions['onMoved'] | null
  private readonly admissionConnections: AdmissionConnection[]
  private readonly executor: BatchExecutor
  private readonly reconciler: BatchReconciler
  private readonly inFlight = new Set<Batch>()
  private readonly sweeper: NodeJS.Timeout
  private queue: PendingRequest[] = []
  private scheduled = false
  private flushDelayMs = maxFlushDelayMs
  private flushTimer: NodeJS.Timeout | null = null

  constructor(url: string, log: Log, { isPooled = false, isNode = false, onMoved = null, writes = noWrites() }: AdmissionOptions = {}) {
    const kind = { isPooled, isNode }
    this.onMoved = onMoved
    this.writes = writes
    this.log = log
    this.executor = new BatchExecutor(isPooled)
    this.admissionConnections = Array.from({ length: connectionCount }, () => new AdmissionConnection(url, log, () => this.schedule(), kind))
    this.reconciler = new BatchReconciler(url, log, kind, onMoved)
    this.sweeper = setInterval(() => this.sweep(), sweepEveryMs)
    this.sweeper.unref()
  }

  /** Opens the connections. Requests that arrive earlier wait in the queue, with the usual timeout. */
  async open(): Promise<void> {
    await Promise.all([...this.admissionConnections.map((connection) => connection.open()), this.reconciler.open()])
  }

  /**
   * Admits or rejects a request, counts and logs it, and charges for it. Returns null, and charges nothing, if the queue is full or the database fails or
   * doesn't respond in time.
   */
  admit(request: AdmissionRequest, trace: CallTrace | null = null): Promise<Outcome | null> {
    return new Promise((answer) => this.enqueue({ request, trace, arrived: performance.now(), answer, answered: false }))
  }

  /** Adds a request to the queue, or fails it if the queue is full. */
  enqueue(pending: PendingRequest): void {
    if (this.queue.length + this.reconciler.pending >= queueLimit) {
      admissions.queueFull++
      answerRequest(pending, null)
      return
    }
    this.queue.push(pending)
    this.schedule()
  }

  /** Reconciles requests whose outcome is unknown. */
  addLost(pendingRequests: readonly PendingRequest[]): void {
    this.reconciler.add(pendingRequests)
  }

  /** Number of requests in the queue, in batches in flight, and in lost batches that await reconciliation. */
  get depth(): { waiting: number; sent: number; lost: number } {
    const sent = [...this.inFlight].reduce((count, { pendingRequests }) => count + pendingRequests.length, 0)
    return { waiting: this.queue.length, sent, lost: this.reconciler.pending }
  }

  /** Number of open admission connections, and the number that should be open. */
  get connections(): { open: number; wanted: number } {
    return { open: this.admissionConnections.filter(({ isOpen }) => isOpen).length, wanted: connectionCount }
  }

  /** Waits until every request is answered and every lost batch is reconciled, or until the timeout, then closes the connections. */
  async close(timeoutMs = 10_000): Promise<void> {
    const end = performance.now() + timeoutMs
    while ((this.queue.length > 0 || this.inFlight.size > 0 || this.reconciler.pending > 0) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    clearInterval(this.sweeper)
    if (this.flushTimer) clearTimeout(this.flushTimer)
    await Promise.all([...this.admissionConnections.map((connection) => connection.close()), this.reconciler.close()])
  }

  /** Schedules a flush for the end of the event-loop turn, so that all requests read in this turn share one statement. */
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.flush()
    })
  }

  private flush(): void {
    let connection = this.freeConnection()
    while (connection && this.shouldSend()) {
      const pendingRequests = this.takeBatch()
      if (pendingRequests.length > 0) void this.send({ connection, pendingRequests, sent: performance.now() })
      connection = this.freeConnection()
    }
    if (connection && this.queue.length > 0) this.flushLater()
  }

  private freeConnection(): AdmissionConnection | undefined {
    return this.admissionConnections.find(({ ready }) => ready)
  }

  private flushLater(): void {
    this.flushTimer ??= setTimeout(() => {
      this.flushTimer = null
      this.flush()
    }, this.flushDelayMs)
  }

  private shouldSend(): boolean {
    const [oldest] = this.queue
    if (!oldest || this.inFlight.size === 0) return oldest !== undefined
    return this.queue.length >= minParallelBatch || performance.now() - oldest.arrived >= this.flushDelayMs
  }

  private takeBatch(): PendingRequest[] {
    const { batch, rest } = takeBatch(this.queue, batchSize)
    this.queue = rest
    return batch
  }

  private async send(batch: Batch): Promise<void> {
    this.inFlight.add(batch)
    const requests = batch.pendingRequests.map((pending) => pending.request)
    try {
      const { read, decidedMs } = await this.executor.execute(batch.connection, requests)
      this.inFlight.delete(batch)
      this.record(batch, decidedMs)
      // Send the next batch before answering this one, so that Node and PostgreSQL work in parallel.
      this.flush()
      const outcomes = read()
      setImmediate(() => this.answer(batch, outcomes))
    } catch (error) {
      this.inFlight.delete(batch)
      this.fail(batch, error)
      this.schedule()
    }
  }

  private record({ pendingRequests, sent }: Batch, decidedMs: number | null): void {
    const onDisk = performance.now()
    this.writes.writtenAt = onDisk
    if (decidedMs !== null) this.flushDelayMs = Math.min(maxFlushDelayMs, Math.max(minFlushDelayMs, 2 * decidedMs))
    const committed = decidedMs === null ? onDisk : Math.min(onDisk, sent + decidedMs)
    admissions.sizes.add(pendingRequests.length)
    admissions.waitMs.add(sent - (pendingRequests[0]?.arrived ?? sent))
    admissions.statementMs.add(committed - sent)
    admissions.flushMs.add(onDisk - committed)
    if (tracing.tracer === null) return
    const traced = pendingRequests.flatMap(({ trace }) => (trace === null ? [] : [trace]))
    if (traced.length > 0) tracing.tracer.batch(traced, { size: pendingRequests.length, sent, committed, onDisk })
  }

  /** Answers a batch. Sends the queued requests first, so that PostgreSQL processes them while the answers are written. */
  private answer({ pendingRequests }: Batch, outcomes: readonly Outcome[]): void {
    this.flush()
    for (const [index, pending] of pendingRequests.entries()) this.deliver(pending, outcomes[index] ?? null)
  }

  private deliver(pending: PendingRequest, outcome: Outcome | null): void {
    // The caller has already received an error for this request, so reverse the charge.
    if (pending.answered && outcome && outcome.credits > 0) this.addLost([pending])
    answerRequest(pending, outcome)
  }

  private fail(batch: Batch, error: unknown): void {
    if (error instanceof LostError) {
      admissions.lost++
      this.log.warn({ err: error.cause, requests: batch.pendingRequests.length }, 'Lost a batch in flight; looking up its requests before responding.')
      this.addLost(batch.pendingRequests)
      return
    }
    if (this.onMoved && isMoved(error)) {
      this.onMoved(batch.pendingRequests, false)
      return
    }
    admissions.refused++
    this.writes.refusedAt = performance.now()
    this.log.error(
      { err: error, requests: batch.pendingRequests.length },
      getCode(error) === diskFull ? fullDisk : 'PostgreSQL rejected a batch; its requests failed uncharged.',
    )
    for (const pending of batch.pendingRequests) answerRequest(pending, null)
  }

  /** Times out late requests, whether queued, in flight or being reconciled. */
  private timeOutRequests(isLate: (pending: PendingRequest) => boolean): void {
    while (this.queue[0] && isLate(this.queue[0])) {
      const pending = this.queue.shift()
      if (pending) timeOut(pending)
    }
    for (const { pendingRequests } of this.inFlight) for (const pending of pendingRequests) if (isLate(pending)) timeOut(pending)
    this.reconciler.sweep(isLate)
  }

  /** Times out late requests, cuts silent connections, and flushes the queue if it has waited long enough. */
  private sweep(): void {
    const now = performance.now()
    this.timeOutRequests((pending) => now - pending.arrived > answerTimeoutMs)
    for (const { connection, sent } of this.inFlight) if (now - sent > silentAfterMs) connection.cut()
    this.flush()
  }
}
