import { SavingsRatesError } from './savings-rates-error.ts'

/**
 * Reason an iteration stopped: all rows were read, `maxRows` was reached, or the next row would exceed `maxCredits`, the balance, or the spend cap of the key or
 * the account.
 */
export type Stop = 'done' | 'rows' | 'ceiling' | 'credits' | 'spend-cap'

export type PaginationOptions = {
  /** Maximum credits for the whole iteration. */
  readonly maxCredits?: number | undefined
  /** Maximum number of rows for the whole iteration. */
  readonly maxRows?: number | undefined
  /** `idempotencyKey` of the interrupted iteration to continue. Prevents a second charge for a page that was requested but not received. */
  readonly idempotencyKey?: string | null | undefined
  readonly signal?: AbortSignal | undefined
}

export type PageWish = {
  readonly cursor: string | null
  readonly limit: number
  readonly maxCredits: number | undefined
  readonly idempotencyKey: string
}

export type PageRead<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null; readonly creditsCharged: number; readonly isReplay: boolean }

/** Reads a list page by page. */
export type Pages<Row> = {
  readonly read: (wish: PageWish) => Promise<PageRead<Row>>
  readonly credits: number
  readonly per: 'request' | 'row'
  /** Rows per page. */
  readonly limit: number
  /** Cursor of the first row to read; null for the beginning. */
  readonly cursor: string | null
  /** Idempotency key with which the first page was already requested; null if it has not been requested before. */
  readonly idempotencyKey: string | null
}

const stops: ReadonlyMap<string | undefined, Stop> = new Map([
  ['spend_cap', 'spend-cap'],
  ['max_credits', 'ceiling'],
])

/** Converts an error to a stop reason. Returns null if it doesn't concern credits. Unknown reasons count as an insufficient balance. */
function toStop(error: unknown): Stop | null {
  if (!(error instanceof SavingsRatesError) || error.body?.error !== 'insufficient_credits') return null
  return stops.get(error.body.reason) ?? 'credits'
}

/**
 * Iterates over the rows of all pages of a list: `for await (const row of pagination)`. Never charges more than `maxCredits`. Afterwards, `stopped` is the
 * reason and `cursor` the position. After a `break` or an error, iterating again resumes where the iteration stopped. After an abort, process the rows in
 * `unread`, then start a new iteration with this `cursor` and `idempotencyKey`.
 */
export class Pagination<Row> implements AsyncIterable<Row> {
  /** Reason the iteration stopped; null if it hasn't. */
  stopped: Stop | null = null
  /**
   * Cursor of the next page, after the rows in `unread`. Pass it to another iteration to continue from here. Null at the start and after the last page; an
   * iteration with null starts at the beginning.
   */
  cursor: string | null
  /** Credits charged so far. */
  credits = 0
  /** Rows yielded so far. */
  rows = 0
  readonly #pages: Pages<Row>
  readonly #maxCredits: number | null
  readonly #maxRows: number | null
  #unread: Row[] = []
  #isAtEnd = false
  #openKey: string | null

  constructor(pages: Pages<Row>, maxCredits: number | null, maxRows: number | null) {
    this.#pages = pages
    this.#maxCredits = maxCredits
    this.#maxRows = maxRows
    this.cursor = pages.cursor
    this.#openKey = pages.idempotencyKey
  }

  /**
   * Idempotency key of a page that was requested but not received; null if there is none. It is kept until the page arrives, because an attempt may have been
   * charged even though the call failed. After `replay_unavailable` it is null: the page that was paid for no longer exists, so the next attempt is charged.
   * The service remembers a key for ten minutes.
   */
  get idempotencyKey(): string | null {
    return this.#openKey
  }

  /** Rows charged but not yielded yet, after stopping in the middle of a page. They come before `cursor`. */
  get unread(): readonly Row[] {
    return this.#unread
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    do {
      while (this.#unread.length > 0) {
        const [row] = this.#unread.splice(0, 1) as [Row]
        this.rows++
        yield row
      }
    } while (await this.#readOn())
  }

  #limit(): Stop | null {
    if (this.#isAtEnd) return 'done'
    if (this.#maxRows !== null && this.rows >= this.#maxRows) return 'rows'
    return this.#maxCredits !== null && this.credits + this.#pages.credits > this.#maxCredits ? 'ceiling' : null
  }

  /** Reads the next page. Returns false if there is none to read. */
  async #readOn(): Promise<boolean> {
    this.stopped = this.#limit()
    if (this.stopped !== null) return false
    const { limit } = this.#pages
    this.#openKey ??= crypto.randomUUID()
    try {
      const page = await this.#pages.read({
        cursor: this.cursor,
        limit: this.#maxRows === null ? limit : Math.min(limit, this.#maxRows - this.rows),
        maxCredits: this.#maxCredits === null ? undefined : this.#maxCredits - this.credits,
        idempotencyKey: this.#openKey,
      })
      this.#take(page)
    } catch (error) {
      if (error instanceof SavingsRatesError && error.code === 'replay_unavailable') this.#openKey = null
      this.stopped = toStop(error)
      if (this.stopped === null) throw error
      return false
    }
    return true
  }

  #take({ rows, nextCursor, creditsCharged, isReplay }: PageRead<Row>): void {
    const { credits, per } = this.#pages
    // A replay is free, but the original attempt was charged, so its charge is added to the cost of the iteration.
    this.credits += isReplay ? credits * (per === 'row' ? rows.length : 1) : creditsCharged
    this.#unread.push(...rows)
    this.cursor = nextCursor
    this.#isAtEnd = nextCursor === null
    this.#openKey = null
  }
}
