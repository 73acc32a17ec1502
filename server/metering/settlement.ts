import { clock } from '#server/clock.ts'
import type { Log } from '#server/observability/log.ts'
import { admissions } from '#server/observability/telemetry/admissions.ts'
import { decodeNumbers } from './batch.ts'
import { Lane } from './lane.store.ts'
import { type Outcome, verdicts } from './outcome.ts'
import { answerTicket, answerTooLate, type Ticket } from './ticket.ts'

const statement = 'SELECT settle($1,$2,$3,$4,$5)'
const atOnce = 256
const retryAfterMs = 200
const silentAfterMs = 5_000

/** The outcome of a request as its row in the log tells it: the limits are not kept there and read as 0. */
function fromLog(ticket: Ticket, numbers: readonly number[], at: number): Outcome | null {
  const [status = 500, units = 0, credits = 0, balance = 0] = numbers.slice(at, at + 4)
  if (status !== ticket.request.status) return null
  const isReplay = ticket.request.price > 0 && units > 0 && credits === 0
  // The log does not say which of two pages was replayed.
  if (isReplay && ticket.request.idempotency?.keptTag !== undefined) return null
  return {
    verdict: isReplay ? verdicts.replay : verdicts.granted,
    units,
    credits,
    balance,
    minuteLimit: 0,
    minuteLeft: 0,
    dayLimit: 0,
    dayLeft: 0,
    serviceVersion: ticket.request.serviceVersion,
    now: clock.now(),
  }
}

/**
 * Settles requests whose batch was lost: a charged one is answered with its charge, an unknown one is written down as failed, and a charge
 * whose caller was already told of a failure is given back. Settling twice is harmless, so it is tried until it works.
 */
export class Settlement {
  private readonly lane: Lane
  private readonly log: Log
  private lost: Ticket[] = []
  private sent: number | null = null
  private retry: NodeJS.Timeout | null = null
  private closed = false

  constructor(url: string, log: Log, isPooled = false) {
    this.log = log
    this.lane = new Lane(url, log, () => this.next(), isPooled)
  }

  open(): Promise<void> {
    return this.lane.open()
  }

  get pending(): number {
    return this.lost.length
  }

  add(tickets: readonly Ticket[]): void {
    this.lost.push(...tickets)
    this.next()
  }

  /** Answers who has waited too long; the charge, if there was one, is given back when it is known. */
  sweep(isLate: (ticket: Ticket) => boolean): void {
    for (const ticket of this.lost) if (isLate(ticket)) answerTooLate(ticket)
    if (this.sent !== null && performance.now() - this.sent > silentAfterMs) this.lane.cut()
  }

  private next(): void {
    if (this.closed || this.sent !== null || this.lost.length === 0 || !this.lane.ready) return
    void this.settle(this.lost.slice(0, atOnce))
  }

  private async settle(tickets: readonly Ticket[]): Promise<void> {
    this.sent = performance.now()
    const told = tickets.map((ticket) => ticket.answered)
    const requests = tickets.map((ticket) => ticket.request)
    const list = (values: readonly (number | string)[]) => `{${values.join(',')}}`
    try {
      const [answer] = await this.lane.run('settle', statement, [
        list(requests.map((r) => r.accountId)),
        list(requests.map((r) => r.keyId)),
        list(requests.map((r) => r.id)),
        list(requests.map((r) => r.endpoint)),
        list(told.map((isTold) => (isTold ? 't' : 'f'))),
      ])
      if (typeof answer !== 'string') throw new Error('The settlement statement answered nothing.')
      this.finish(tickets, told, decodeNumbers(answer))
    } catch (error) {
      this.log.warn({ err: error, requests: tickets.length }, 'Lost requests could not be settled yet; trying again.')
      this.retry ??= setTimeout(() => {
        this.retry = null
        this.next()
      }, retryAfterMs)
    } finally {
      this.sent = null
    }
    if (!this.retry) this.next()
  }

  private finish(tickets: readonly Ticket[], told: readonly boolean[], numbers: readonly number[]): void {
    this.lost = this.lost.slice(tickets.length)
    for (const [index, ticket] of tickets.entries()) {
      const credits = numbers[index * 4 + 2] ?? 0
      // Its caller gave up while this was under way: once more, to give the charge back.
      if (ticket.answered && !told[index] && credits > 0) {
        this.lost.push(ticket)
        continue
      }
      admissions.settled[credits > 0 ? 'charged' : 'uncharged']++
      answerTicket(ticket, fromLog(ticket, numbers, index * 4))
    }
  }

  async close(): Promise<void> {
    this.closed = true
    if (this.retry) clearTimeout(this.retry)
    await this.lane.close()
  }
}
