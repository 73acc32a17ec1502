import { type Answer, type Envelope, factsOf, type IfUnchanged } from './answer.ts'
import type { CallOptions, Tag } from './call-options.ts'
import { Operations } from './generated/operations.ts'
import { table } from './generated/table.ts'
import { outgoing } from './outgoing.ts'
import { send } from './send.ts'
import { type ClientOptions, checked, readSettings, type Settings, whole } from './settings.ts'
import type { FieldOf, OperationId, PageBody, PagedId, PageInput, Row } from './shapes.ts'
import { type PageRead, type PageWish, Walk, type WalkOptions } from './walk.ts'

/** What a walk takes: the parameters of its list, and a `cursor` of an earlier walk to go on from. */
export type WalkInput<Id extends PagedId, F extends FieldOf<Id>> = Omit<PageInput<Id, F>, 'cursor'> & { readonly cursor?: string | null | undefined }

/** Fewer and larger pages: rows cost the same. */
const rowsOnAPage = 50

/** The Savings Rates Data API, called with one key: a method for each endpoint, and `iterate` for lists over all their pages. */
export class SavingsRates extends Operations {
  readonly #settings: Settings

  /** @throws TypeError or RangeError when an option cannot be used */
  constructor(options: ClientOptions) {
    super()
    this.#settings = readSettings(options)
  }

  protected async call<B extends Envelope, T extends Tag>(id: OperationId, input: object, options: CallOptions<T> = {}): Promise<Answer<B> | IfUnchanged<T>> {
    const { headers, envelope } = await send(this.#settings, outgoing(id, input, this.#settings, options), options)
    const facts = factsOf(headers)
    const answer = envelope === null ? { ...facts, status: 304, data: null, meta: null } : { ...facts, status: 200, ...envelope }
    // The document says which endpoint answers what, and it is the service that keeps to it.
    return answer as unknown as Answer<B> | IfUnchanged<T>
  }

  /** The rows of a list over all its pages, paid for as they are read and never beyond a ceiling: `for await (const row of client.iterate('ratesList'))`. */
  iterate<Id extends PagedId, F extends FieldOf<Id> = FieldOf<Id>>(
    id: Id,
    input: WalkInput<Id, F> = {} as WalkInput<Id, F>,
    options: WalkOptions = {},
  ): Walk<Row<Id, F>> {
    const { cursor = null, limit = rowsOnAPage, ...rest } = input as { cursor?: string | null; limit?: number }
    const { signal, maxRows, idempotencyKey: openKey = null } = options
    const mostCredits = options.maxCredits === undefined ? this.#settings.maxCredits : checked.maxCredits(options.maxCredits)
    const mostRows = maxRows === undefined ? null : whole('maxRows', maxRows, 0, Number.MAX_SAFE_INTEGER)
    const read = async ({ maxCredits, idempotencyKey, ...page }: PageWish): Promise<PageRead<Row<Id, F>>> => {
      const answer = await this.call<PageBody<Id, F>, undefined>(id, { ...rest, ...page }, { maxCredits, idempotencyKey, signal })
      return { ...answer, rows: answer.data, nextCursor: answer.meta.nextCursor }
    }
    const { credits, per } = table[id]
    return new Walk({ read, cursor, idempotencyKey: openKey, limit: Math.min(rowsOnAPage, limit), credits, per }, mostCredits, mostRows)
  }
}
