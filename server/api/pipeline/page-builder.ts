import type { AccountSummary } from '#server/api/contract/account-summary.ts'
import type { ListFormat } from '#server/api/contract/list-formats.ts'
import type { OwnAccount } from '#server/api/contract/own-account.ts'
import type { KeyRecord } from '#server/keys/key-record.ts'
import type { BuiltPage, PageContext, PipelineEndpoint, Reading } from './call.ts'
import type { ConfigSnapshot } from './config-snapshot.ts'
import { withinDeadline } from './deadline.ts'
import { getVariant, variants } from './decision.ts'
import { buildPage, type Cursors, type PageTags } from './page.ts'
import { isCurrent, PageCache } from './page-cache.ts'

type Parts = {
  readonly cursors: Cursors
  readonly tags: PageTags
  readonly publicUrl: string
  readonly summarise: (keyRecord: KeyRecord, shared: ConfigSnapshot) => Promise<AccountSummary>
  readonly own: (keyRecord: KeyRecord, address: string | null) => OwnAccount
}

/** Page to build: the parameters, the format, and the caller. */
export type PageOrder = {
  readonly endpoint: PipelineEndpoint
  readonly reading: Reading
  readonly format: ListFormat
  readonly requestId: string
  /** Caller's IP address; null if no trusted source states it. */
  readonly address: string | null
  readonly keyRecord: KeyRecord
  readonly shared: ConfigSnapshot
}

const variantCount = Object.keys(variants).length

/** Returns the number of a page among the pages with the same parameters. */
const getPlace = (variant: number, { no }: ListFormat) => variant + variantCount * no

/** Returns the pages of calls: cached ones, unless the response is about the caller. */
export class PageBuilder {
  private readonly parts: Parts
  private readonly pages = new PageCache()

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Returns the page if it was sent to a caller recently, without a lookup in the page cache; else undefined. */
  getRecent({ endpoint, reading, format, keyRecord, shared }: PageOrder): BuiltPage | undefined {
    const recent = reading.pages[getPlace(getVariant(keyRecord), format)]?.deref()
    return endpoint.shared && isCurrent(recent, shared.version) ? recent : undefined
  }

  /** Returns the page, and whether it was built for this call. @throws RefusedError if the item doesn't exist or a parameter is not valid. */
  get(order: PageOrder): Promise<{ page: BuiltPage; isNew: boolean }> {
    return withinDeadline(this.build(order), order.endpoint.buildTimeoutMs)
  }

  /** Builds the page without a timeout, unless it is cached. Runs the handler of an action. */
  async build({ endpoint, reading, format, requestId, keyRecord, shared, address }: PageOrder) {
    const variant = getVariant(keyRecord)
    const place = getPlace(variant, format)
    const isTest = keyRecord.mode === 'test'
    const context: PageContext = {
      market: shared.market.dataset(isTest ? 'sample' : 'live'),
      mode: keyRecord.mode,
      withLogos: variant !== variants.live,
      publicUrl: this.parts.publicUrl,
      requestId,
      account: () => this.parts.summarise(keyRecord, shared),
      own: () => this.parts.own(keyRecord, address),
    }
    const after = reading.cursor === null ? null : this.parts.cursors.read(reading.cursor, `${keyRecord.mode} ${reading.binding}`)
    const build = () => buildPage(endpoint, reading, { limit: reading.limit, after }, context, { variant, format, version: shared.version }, this.parts.tags)
    if (!endpoint.shared) return { page: await build(), isNew: true }
    const result = await this.pages.get(`${place} ${reading.key}`, shared.version, build)
    reading.pages[place] = new WeakRef(result.page)
    return result
  }
}
