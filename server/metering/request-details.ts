import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Log } from '#server/observability/log.ts'
import { writeRequestDetails } from './requests.sql.ts'

/** Details of a call, before redaction and truncation. They are not part of the request log. */
export type RequestDetailsInput = {
  /** Request id without its prefix. */
  readonly id: string
  readonly accountId: number
  /** Path without the version prefix, and query string. */
  readonly target: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** Error message, if the call was rejected. */
  readonly message: string | null
}

const writeEveryMs = 500
/** Maximum number of calls whose details are waiting to be written, in total and per account. Limits memory use and the load on the database. */
const maxWaiting = 250
const maxPerAccount = 50

const maxTargetLength = 1_000
const maxMessageLength = 400
const maxHeaderLength = 200

/** Headers to store: those that affect the response or identify the client. They contain no secrets. */
const keptHeaders = ['user-agent', 'if-none-match', 'idempotency-key', 'x-svc-max-credits'] as const

const keyText = /svc_(test|live|partner)_[0-9A-Za-z]+/g
const keyParameter = /([?&]api_key=)[^&]*/gi

/** Shortens API keys in a string to their prefix, and truncates a long string with `…`. */
function redact(text: string, maxLength: number): string {
  const clean = text.replaceAll('\0', '').replace(keyParameter, '$1…').replace(keyText, 'svc_$1_…').toWellFormed()
  return clean.length > maxLength ? `${clean.slice(0, maxLength).toWellFormed()}…` : clean
}

function pickHeaders(given: RequestDetailsInput['headers']): Record<string, string> {
  return Object.fromEntries(keptHeaders.flatMap((name) => (typeof given[name] === 'string' ? [[name, redact(given[name], maxHeaderLength)]] : [])))
}

const toDb = ({ id, accountId, target, headers, message }: RequestDetailsInput): Prisma.RequestDetailModel => ({
  id,
  accountId,
  target: redact(target, maxTargetLength),
  headers: pickHeaders(headers),
  message: message === null ? null : redact(message, maxMessageLength),
})

/**
 * Stores details of calls for customers to look up: parameters, some headers and error messages. They are not needed for charging, so they are written
 * separately, every half second. Details beyond the maximum are dropped, and a killed process loses those not yet written.
 */
export class RequestDetails {
  private readonly pool: Database
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private waiting: RequestDetailsInput[] = []
  private readonly waitingByAccount = new Map<number, number>()
  private isWriting = false

  constructor(pool: Database, log: Log) {
    this.pool = pool
    this.log = log
    this.timer = setInterval(() => void this.write(), writeEveryMs)
    this.timer.unref()
  }

  add(details: RequestDetailsInput): void {
    if (this.waiting.length >= maxWaiting) return
    const count = this.waitingByAccount.get(details.accountId) ?? 0
    if (count >= maxPerAccount) return
    this.waitingByAccount.set(details.accountId, count + 1)
    this.waiting.push(details)
  }

  private async write(): Promise<void> {
    // Only one write runs at a time. While the database is slow, details beyond `maxWaiting` or `maxPerAccount` are dropped.
    if (this.waiting.length === 0 || this.isWriting) return
    const batch = this.waiting
    this.waiting = []
    this.waitingByAccount.clear()
    this.isWriting = true
    try {
      await writeRequestDetails(this.pool, batch.map(toDb))
    } catch (error) {
      this.log.info({ err: error, requests: batch.length }, 'Failed to write request details; dropping them.')
    } finally {
      this.isWriting = false
    }
  }

  /** Writes the remaining details. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
  }
}
