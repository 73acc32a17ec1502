import type { SentEvent } from '../generated/records.ts'
import type { SavingsRates } from '../savings-rates.ts'

const pageSize = 50
/** Maximum pages read at a time. If more events arrive between two reads, the oldest of them are left out. */
const maxPages = 4
/** Maximum number of remembered events: more than many reads return. */
const maxSeen = 5_000
/** Allowed difference between the clocks of the service's processes, and maximum time between the delivery of an event and its appearance in the list. */
const marginMs = 60_000

/** New events, oldest first. `isCut` is true if there were more than can be read at a time. */
export type NewEvents = { readonly events: readonly SentEvent[]; readonly isCut: boolean }

type Page = { readonly fresh: readonly SentEvent[]; readonly next: string | null; readonly newestMs: number; readonly tag: string | undefined }

/** Returns each event once, even if several endpoints received it. */
function withoutRepeats(events: readonly SentEvent[]): SentEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]))
  return [...byId.values()]
}

/** Reads the events that were sent to the account's webhook endpoints after the feed was opened. */
export class EventFeed {
  readonly #client: SavingsRates
  readonly #filter: { readonly webhook?: string }
  readonly #seen = new Set<string>()
  #sinceMs = 0
  /** Events sent before this time have been read. */
  #readUntilMs = 0
  #tag: string | undefined

  constructor(client: SavingsRates, webhook: string | undefined) {
    this.#client = client
    this.#filter = webhook === undefined ? {} : { webhook }
  }

  /** Remembers the existing events, and returns the `last` newest ones, oldest first. */
  async open(last: number, signal: AbortSignal): Promise<readonly SentEvent[]> {
    const { data, meta } = await this.#client.webhooksEvents({ ...this.#filter, limit: pageSize }, { signal })
    this.#sinceMs = Date.parse(meta.generatedAt) - marginMs
    this.#readUntilMs = this.#sinceMs
    for (const { id } of data) this.#seen.add(id)
    return withoutRepeats(data).slice(0, last).reverse()
  }

  /** Reads the events since the last read. Can be repeated after an error. */
  async read(signal: AbortSignal): Promise<NewEvents> {
    const first = await this.#readPage(null, signal)
    if (first === null) return { events: [], isCut: false }
    const found = [...first.fresh]
    let { next } = first
    for (let pages = 1; next !== null && pages < maxPages; pages++) {
      const page = await this.#readPage(next, signal)
      found.push(...(page?.fresh ?? []))
      next = page?.next ?? null
    }
    this.#tag = first.tag
    this.#readUntilMs = Math.max(this.#readUntilMs, first.newestMs - marginMs)
    return { events: this.#remember(found), isCut: next !== null }
  }

  /**
   * Reads the new events of a page. `next` is the cursor of the next page, or null if every event on that page is known: the list is ordered by `sentAt`.
   * Returns null if nothing has changed.
   */
  async #readPage(cursor: string | null, signal: AbortSignal): Promise<Page | null> {
    const input = { ...this.#filter, limit: pageSize, ...(cursor === null ? {} : { cursor }) }
    const ifNoneMatch = cursor === null ? this.#tag : undefined
    const { status, data, meta, etag } = await this.#client.webhooksEvents(input, { signal, maxRetries: 0, ifNoneMatch })
    if (status === 304) return null
    const fresh = data.filter((event) => this.#isNew(event))
    const [newestMs = 0, oldestMs = 0] = [data[0], data.at(-1)].map((event) => (event ? Date.parse(event.sentAt) : 0))
    const isNextKnown = fresh.length === 0 || oldestMs < this.#readUntilMs
    return { fresh, next: isNextKnown ? null : (meta.nextCursor ?? null), newestMs, tag: etag ?? undefined }
  }

  #isNew({ id, sentAt }: SentEvent): boolean {
    return !this.#seen.has(id) && Date.parse(sentAt) >= this.#sinceMs
  }

  /** Returns each event once, oldest first, and forgets the oldest remembered ones. */
  #remember(found: readonly SentEvent[]): readonly SentEvent[] {
    const events = withoutRepeats(found).reverse()
    for (const { id } of events) this.#seen.add(id)
    const surplus = [...this.#seen].slice(0, Math.max(0, this.#seen.size - maxSeen))
    for (const id of surplus) this.#seen.delete(id)
    return events
  }
}
