import { SavingsRatesError } from './savings-rates-error.ts'

/**
 * Why a walk stopped: every row was read, `maxRows` was reached, the next row would cost more than what is left of `maxCredits`, the balance does not cover
 * it, or the spend cap of the key or the account does not.
 */
export type Stop = 'done' | 'rows' | 'ceiling' | 'credits' | 'spend-cap'

export type WalkOptions = {
  /** Most credits that the whole walk may cost. */
  readonly maxCredits?: number | undefined
  /** Most rows that the whole walk gives. */
  readonly maxRows?: number | undefined
  /** `idempotencyKey` of the walk that this one goes on for: the page that it asked for and did not get is then not charged again. */
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

/** How a list is read page by page, and what it costs. */
export type Pages<Row> = {
  readonly read: (wish: PageWish) => Promise<PageRead<Row>>
  readonly credits: number
  readonly per: 'request' | 'row'
  /** Rows on a page. */
  readonly limit: number
  /** Where to begin; null at the beginning. */
  readonly cursor: string | null
  /** Key of the first page; null when no walk asked for it before. */
  readonly idempotencyKey: string | null
}

const stops: ReadonlyMap<string | undefined, Stop> = new Map([
  ['spend_cap', 'spend-cap'],
  ['max_credits', 'ceiling'],
])

/** Why a refusal ends a walk; null when it is no matter of credits. A reason that is not known here is the balance. */
function stopOf(error: unknown): Stop | null {
  if (!(error instanceof SavingsRatesError) || error.body?.error !== 'insufficient_credits') return null
  return stops.get(error.body.reason) ?? 'credits'
}

/**
 * The rows of a list over all its pages: `for await (const row of walk)`. It never pays more than `maxCredits`. When it has ended, `stopped` says why and
 * `cursor` where to go on. Left in between or broken off by an error, it goes on where it was when it is read again; one that its signal ended does so as
 * another walk, with `unread`, `cursor` and `idempotencyKey` of this one.
 */
export class Walk<Row> implements AsyncIterable<Row> {
  /** Why it stopped; null as long as it has not. */
  stopped: Stop | null = null
  /**
   * Where the next page begins, behind the rows in `unread`: `cursor` of another walk that is to go on from here. Null at the beginning, and when there is no
   * next page; another walk with null begins anew.
   */
  cursor: string | null
  /** Credits that the walk was charged so far. */
  credits = 0
  /** Rows that it gave so far. */
  rows = 0
  readonly #pages: Pages<Row>
  readonly #mostCredits: number | null
  readonly #mostRows: number | null
  #unread: Row[] = []
  #isAtEnd = false
  #openKey: string | null

  constructor(pages: Pages<Row>, mostCredits: number | null, mostRows: number | null) {
    this.#pages = pages
    this.#mostCredits = mostCredits
    this.#mostRows = mostRows
    this.cursor = pages.cursor
    this.#openKey = pages.idempotencyKey
  }

  /**
   * Key of a page that was asked for and did not come; null when there is none. It is the page's until that is taken: a refusal of one attempt does not say
   * that an earlier one was not charged.
   */
  get idempotencyKey(): string | null {
    return this.#openKey
  }

  /** Rows that are paid for and were not given yet: there are some when a walk was left in the middle of a page. They stand before `cursor`. */
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
    if (this.#mostRows !== null && this.rows >= this.#mostRows) return 'rows'
    return this.#mostCredits !== null && this.credits + this.#pages.credits > this.#mostCredits ? 'ceiling' : null
  }

  /** Reads the next page; false when there is none to be read. */
  async #readOn(): Promise<boolean> {
    this.stopped = this.#limit()
    if (this.stopped !== null) return false
    const { limit } = this.#pages
    this.#openKey ??= crypto.randomUUID()
    try {
      const page = await this.#pages.read({
        cursor: this.cursor,
        limit: this.#mostRows === null ? limit : Math.min(limit, this.#mostRows - this.rows),
        maxCredits: this.#mostCredits === null ? undefined : this.#mostCredits - this.credits,
        idempotencyKey: this.#openKey,
      })
      this.#take(page)
    } catch (error) {
      this.stopped = stopOf(error)
      if (this.stopped === null) throw error
      return false
    }
    return true
  }

  #take({ rows, nextCursor, creditsCharged, isReplay }: PageRead<Row>): void {
    const { credits, per } = this.#pages
    // What an attempt was charged whose answer got lost is part of what the walk cost.
    this.credits += isReplay ? credits * (per === 'row' ? rows.length : 1) : creditsCharged
    this.#unread.push(...rows)
    this.cursor = nextCursor
    this.#isAtEnd = nextCursor === null
    this.#openKey = null
  }
}
