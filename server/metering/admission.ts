import { diskFull } from '#server/db/error-advice.ts'
import { codeOf } from '#server/db/error-parts.ts'
import type { WriteEvidence } from '#server/db/write-check.ts'
import type { Log } from '#server/observability/log.ts'
import { admissions } from '#server/observability/telemetry/admissions.ts'
import { type CallTrace, tracing } from '#server/observability/telemetry/tracer.ts'
import type { AdmissionRequest } from './batch.ts'
import { Deciding } from './deciding.ts'
import { Lane, LostError } from './lane.store.ts'
import type { Outcome } from './outcome.ts'
import { Settlement } from './settlement.ts'
import { takeBatch } from './take-batch.ts'
import { answerTicket, answerTooLate, type Ticket } from './ticket.ts'

type Batch = { readonly lane: Lane; readonly tickets: Ticket[]; readonly sent: number }

const lanes = 3
const batchSize = 256
/** Beside a statement that is under way, another is sent for this many requests: small batches cost more than waiting a moment. */
const worthALane = 48
/** For fewer, another is sent when the first should have been decided twice, and may be waiting for the disk, which holds no wallet. */
const leastPatienceMs = 2
const mostPatienceMs = 50
/** Bounds: how many may wait, how long a caller waits for an answer, and how long a silent server is believed to be alive. */
const queueLimit = 2_048
const answerWithinMs = 2_000
const silentAfterMs = 5_000
const sweepEveryMs = 50

const fullDisk = 'The disk of the database is full (SQLSTATE 53100): calls fail uncharged. Free space on it; the service continues by itself.'

/**
 * Collects requests and has PostgreSQL decide them in batches: what arrives while a statement is under way goes with the next one.
 * There is no money in this process: the balance is read and written only inside the statement.
 */
export class Admission {
  /** Each batch writes, so its outcome tells whether the database takes writes. */
  readonly writes: WriteEvidence = { writtenAt: Number.NEGATIVE_INFINITY, refusedAt: Number.NEGATIVE_INFINITY }
  private readonly log: Log
  private readonly lanes: Lane[]
  private readonly deciding: Deciding
  private readonly settlement: Settlement
  private readonly underWay = new Set<Batch>()
  private readonly sweeper: NodeJS.Timeout
  private queue: Ticket[] = []
  private scheduled = false
  private patienceMs = mostPatienceMs
  private impatient: NodeJS.Timeout | null = null

  /** `isPooled`: a pooler in transaction mode is at `url`. */
  constructor(url: string, log: Log, isPooled = false) {
    this.log = log
    this.deciding = new Deciding(isPooled)
    this.lanes = Array.from({ length: lanes }, () => new Lane(url, log, () => this.schedule(), isPooled))
    this.settlement = new Settlement(url, log, isPooled)
    this.sweeper = setInterval(() => this.sweep(), sweepEveryMs)
    this.sweeper.unref()
  }

  /** Opens the connections. Until they are open, requests wait within their bounds. */
  async open(): Promise<void> {
    await Promise.all([...this.lanes.map((lane) => lane.open()), this.settlement.open()])
  }

  /** Decides, counts, logs and charges one request. Null: the database did not answer in time; nothing is charged. */
  admit(request: AdmissionRequest, trace: CallTrace | null = null): Promise<Outcome | null> {
    return new Promise((answer) => {
      if (this.queue.length + this.settlement.pending >= queueLimit) {
        admissions.queueFull++
        answer(null)
        return
      }
      this.queue.push({ request, trace, arrived: performance.now(), answer, answered: false })
      this.schedule()
    })
  }

  /** Requests that wait for a statement, that a statement has, and whose batch was lost. */
  get depth(): { waiting: number; sent: number; lost: number } {
    const sent = [...this.underWay].reduce((count, { tickets }) => count + tickets.length, 0)
    return { waiting: this.queue.length, sent, lost: this.settlement.pending }
  }

  /** Connections of the admission path that are open, of those that there should be. */
  get connections(): { open: number; wanted: number } {
    return { open: this.lanes.filter(({ isOpen }) => isOpen).length, wanted: lanes }
  }

  /** Waits until every request is answered and every lost batch settled, then closes the connections. */
  async close(withinMs = 10_000): Promise<void> {
    const end = performance.now() + withinMs
    while ((this.queue.length > 0 || this.underWay.size > 0 || this.settlement.pending > 0) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    clearInterval(this.sweeper)
    if (this.impatient) clearTimeout(this.impatient)
    await Promise.all([...this.lanes.map((lane) => lane.close()), this.settlement.close()])
  }

  /** One flush at the end of the turn, so that all requests read from the sockets in this turn share a statement. */
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      this.flush()
    })
  }

  private flush(): void {
    let lane = this.freeLane()
    while (lane && this.isWorthALane()) {
      const tickets = this.takeBatch()
      if (tickets.length > 0) void this.send({ lane, tickets, sent: performance.now() })
      lane = this.freeLane()
    }
    if (lane && this.queue.length > 0) this.flushLater()
  }

  private freeLane(): Lane | undefined {
    return this.lanes.find(({ ready }) => ready)
  }

  private flushLater(): void {
    this.impatient ??= setTimeout(() => {
      this.impatient = null
      this.flush()
    }, this.patienceMs)
  }

  private isWorthALane(): boolean {
    const [oldest] = this.queue
    if (!oldest || this.underWay.size === 0) return oldest !== undefined
    return this.queue.length >= worthALane || performance.now() - oldest.arrived >= this.patienceMs
  }

  private takeBatch(): Ticket[] {
    const { batch, rest } = takeBatch(this.queue, batchSize)
    this.queue = rest
    return batch
  }

  private async send(batch: Batch): Promise<void> {
    this.underWay.add(batch)
    const requests = batch.tickets.map((ticket) => ticket.request)
    try {
      const { read, decidedMs } = await this.deciding.ask(batch.lane, requests)
      this.underWay.delete(batch)
      this.takeDown(batch, decidedMs)
      // The next batch leaves before this one is answered, so that node and PostgreSQL work at the same time.
      this.flush()
      const outcomes = read()
      setImmediate(() => this.tell(batch, outcomes))
    } catch (error) {
      this.underWay.delete(batch)
      this.fail(batch, error)
      this.schedule()
    }
  }

  private takeDown({ tickets, sent }: Batch, decidedMs: number | null): void {
    const onDisk = performance.now()
    this.writes.writtenAt = onDisk
    if (decidedMs !== null) this.patienceMs = Math.min(mostPatienceMs, Math.max(leastPatienceMs, 2 * decidedMs))
    const committed = decidedMs === null ? onDisk : Math.min(onDisk, sent + decidedMs)
    admissions.sizes.add(tickets.length)
    admissions.waitMs.add(sent - (tickets[0]?.arrived ?? sent))
    admissions.statementMs.add(committed - sent)
    admissions.flushMs.add(onDisk - committed)
    if (tracing.tracer === null) return
    const traced = tickets.flatMap(({ trace }) => (trace === null ? [] : [trace]))
    if (traced.length > 0) tracing.tracer.batch(traced, { size: tickets.length, sent, committed, onDisk })
  }

  /** Answers a batch, behind what the sockets held already when it was on disk: what they ask goes to PostgreSQL first, which would do nothing meanwhile. */
  private tell({ tickets }: Batch, outcomes: readonly Outcome[]): void {
    this.flush()
    for (const [index, ticket] of tickets.entries()) this.deliver(ticket, outcomes[index] ?? null)
  }

  private deliver(ticket: Ticket, outcome: Outcome | null): void {
    // The caller has been told that it failed: what was charged meanwhile is given back.
    if (ticket.answered && outcome && outcome.credits > 0) this.settlement.add([ticket])
    answerTicket(ticket, outcome)
  }

  private fail(batch: Batch, error: unknown): void {
    if (error instanceof LostError) {
      admissions.lost++
      this.log.warn({ err: error.cause, requests: batch.tickets.length }, 'A batch was lost on its way; looking its requests up before answering.')
      this.settlement.add(batch.tickets)
      return
    }
    admissions.refused++
    this.writes.refusedAt = performance.now()
    this.log.error(
      { err: error, requests: batch.tickets.length },
      codeOf(error) === diskFull ? fullDisk : 'PostgreSQL refused a batch; its requests failed uncharged.',
    )
    for (const ticket of batch.tickets) answerTicket(ticket, null)
  }

  /** Answers who has waited too long, wherever they wait. */
  private answerLate(isLate: (ticket: Ticket) => boolean): void {
    while (this.queue[0] && isLate(this.queue[0])) {
      const ticket = this.queue.shift()
      if (ticket) answerTooLate(ticket)
    }
    for (const { tickets } of this.underWay) for (const ticket of tickets) if (isLate(ticket)) answerTooLate(ticket)
    this.settlement.sweep(isLate)
  }

  /** Answers who has waited too long, cuts a connection that has gone silent, and sends what has waited for a statement that is held up. */
  private sweep(): void {
    const now = performance.now()
    this.answerLate((ticket) => now - ticket.arrived > answerWithinMs)
    for (const { lane, sent } of this.underWay) if (now - sent > silentAfterMs) lane.cut()
    this.flush()
  }
}
