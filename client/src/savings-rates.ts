import { type Answer, type Envelope, getAnswerDetails, type IfUnchanged } from './answer.ts'
import type { CallOptions, Tag } from './call-options.ts'
import { Operations } from './generated/operations.ts'
import { table } from './generated/table.ts'
import { type PageRead, type PageWish, Pagination, type PaginationOptions } from './pagination.ts'
import { outgoing, send } from './send.ts'
import { type ClientOptions, checked, readSettings, type Settings, whole } from './settings.ts'
import type { FieldOf, OperationId, PageBody, PagedId, PageInput, Row } from './shapes.ts'

/** Parameters of a list, and optionally the `cursor` of an earlier iteration to continue from. */
export type PaginationInput<Id extends PagedId, F extends FieldOf<Id>> = Omit<PageInput<Id, F>, 'cursor'> & { readonly cursor?: string | null | undefined }

/** Default and maximum rows per page. Large pages mean fewer requests; the price per row is the same. */
const maxPageSize = 50

/** Client of the Savings Rates Data API: a method per endpoint, and `iterate` for all pages of a list. */
export class SavingsRates extends Operations {
  readonly #settings: Settings

  /** @throws TypeError or RangeError if an option is invalid */
  constructor(options: ClientOptions) {
    super()
    this.#settings = readSettings(options)
  }

  protected async call<B extends Envelope, T extends Tag>(id: OperationId, input: object, options: CallOptions<T> = {}): Promise<Answer<B> | IfUnchanged<T>> {
    const { headers, envelope } = await send(this.#settings, outgoing(id, input, this.#settings, options), options)
    const facts = getAnswerDetails(headers)
    const answer = envelope === null ? { ...facts, status: 304, data: null, meta: null } : { ...facts, status: 200, ...envelope }
    // The OpenAPI document defines the response types; the service is trusted to follow it.
    return answer as unknown as Answer<B> | IfUnchanged<T>
  }

  /**
   * Iterates over the rows of all pages of a list: `for await (const row of client.iterate('ratesList'))`. Pages are charged as they are read, never more than
   * `maxCredits` in total.
   */
  iterate<Id extends PagedId, F extends FieldOf<Id> = FieldOf<Id>>(
    id: Id,
    input: PaginationInput<Id, F> = {} as PaginationInput<Id, F>,
    options: PaginationOptions = {},
  ): Pagination<Row<Id, F>> {
    const { cursor = null, limit = maxPageSize, ...rest } = input as { cursor?: string | null; limit?: number }
    const { signal, maxRows, idempotencyKey: openKey = null } = options
    const maxCredits = options.maxCredits === undefined ? this.#settings.maxCredits : checked.maxCredits(options.maxCredits)
    const rowLimit = maxRows === undefined ? null : whole('maxRows', maxRows, 0, Number.MAX_SAFE_INTEGER)
    const read = async ({ maxCredits, idempotencyKey, ...page }: PageWish): Promise<PageRead<Row<Id, F>>> => {
      const answer = await this.call<PageBody<Id, F>, undefined>(id, { ...rest, ...page }, { maxCredits, idempotencyKey, signal })
      return { ...answer, rows: answer.data, nextCursor: answer.meta.nextCursor }
    }
    const { credits, per } = table[id]
    return new Pagination({ read, cursor, idempotencyKey: openKey, limit: Math.min(maxPageSize, limit), credits, per }, maxCredits, rowLimit)
  }
}
