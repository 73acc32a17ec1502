import type { Pool } from 'pg'
import type { Log } from '#server/observability/log.ts'
import { keepDetails, type RequestDetailRow } from './request-notes.store.ts'

/** What the log does not hold of a call, as it came. */
export type RequestNote = {
  /** The request id without its prefix. */
  readonly id: string
  readonly accountId: number
  /** Path under the version, and query. */
  readonly target: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  /** What the caller was told, when it was refused. */
  readonly message: string | null
}

const writeEveryMs = 500
/** Bounds of one writing, so that no number of calls fills the memory or takes the database from the charges: in all, and for one account. */
const mostKept = 250
const mostOfOne = 50

const longestTarget = 1_000
const longestMessage = 400
const longestHeader = 200

/** Headers that change an answer or say who called. None of them is secret. */
const keptHeaders = ['user-agent', 'if-none-match', 'idempotency-key', 'x-svc-max-credits'] as const

const keyText = /svc_(test|live|partner)_[0-9A-Za-z]+/g
const keyParameter = /([?&]api_key=)[^&]*/gi

/** A text in which no key stands, and which ends with `…` where it was cut. */
function kept(text: string, longest: number): string {
  const clean = text.replaceAll('\0', '').replace(keyParameter, '$1…').replace(keyText, 'svc_$1_…').toWellFormed()
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed()}…` : clean
}

function headersOf(given: RequestNote['headers']): Record<string, string> {
  return Object.fromEntries(keptHeaders.flatMap((name) => (typeof given[name] === 'string' ? [[name, kept(given[name], longestHeader)]] : [])))
}

const toDb = ({ id, accountId, target, headers, message }: RequestNote): RequestDetailRow => ({
  id,
  accountId,
  target: kept(target, longestTarget),
  headers: headersOf(headers),
  message: message === null ? null : kept(message, longestMessage),
})

/**
 * Notes what callers will want to see of their calls: parameters, some headers, the words of a refusal. It decides nothing, so it is written beside the
 * calls, half a second later; beyond its bounds a call is left out, and a process that is killed loses the last of it.
 */
export class RequestNotes {
  private readonly pool: Pool
  private readonly log: Log
  private readonly timer: NodeJS.Timeout
  private waiting: RequestNote[] = []
  private readonly ofAccount = new Map<number, number>()
  private isWriting = false

  constructor(pool: Pool, log: Log) {
    this.pool = pool
    this.log = log
    this.timer = setInterval(() => void this.write(), writeEveryMs)
    this.timer.unref()
  }

  add(note: RequestNote): void {
    if (this.waiting.length >= mostKept) return
    const count = this.ofAccount.get(note.accountId) ?? 0
    if (count >= mostOfOne) return
    this.ofAccount.set(note.accountId, count + 1)
    this.waiting.push(note)
  }

  private async write(): Promise<void> {
    // A slow database is given one writing at a time; meanwhile the bounds hold.
    if (this.waiting.length === 0 || this.isWriting) return
    const notes = this.waiting
    this.waiting = []
    this.ofAccount.clear()
    this.isWriting = true
    try {
      await keepDetails(this.pool, notes.map(toDb))
    } catch (error) {
      this.log.info({ err: error, requests: notes.length }, 'The parameters of some requests could not be written and are given up.')
    } finally {
      this.isWriting = false
    }
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.write()
  }
}
