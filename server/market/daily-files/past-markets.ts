import { keptDays } from '#server/api/contract/endpoint.ts'
import { Prisma } from '#server/db/generated/client.ts'
import { Interner, toPlain } from '../market-rows.ts'
import { MarketView } from '../market-view.ts'
import type { Dataset, Product } from '../product.ts'
import type { Provider } from '../provider.ts'
import { BoundedCache } from './bounded-cache.ts'
import { decompressLines } from './compressed-lines.ts'
import type { DailyFiles, FileName, StoredFile } from './daily-file.ts'

/** Maximum number of products in all past markets in memory. A demonstration market has 1,500 products, a large market 20,000. */
const maxCachedProducts = 40_000

/** Maximum number of days that wait to be loaded: every stored day of both datasets. They are loaded one at a time, so that memory stays bounded. */
const maxWaiting = 2 * (keptDays + 1)

const { dataset: _, withdrawnAt: __, ...productFields } = Prisma.ProductScalarFieldEnum

/** Reads the rows of a file. Columns that a later release added are null. */
async function readRows<Row extends object>(content: Uint8Array, fields: object, interner: Interner): Promise<Row[]> {
  const empty = Object.fromEntries(Object.keys(fields).map((field) => [field, null]))
  const rows: Row[] = []
  await decompressLines(content, (line) => {
    rows.push(toPlain({ ...empty, ...(JSON.parse(line) as Row) }, interner) as Row)
  })
  return rows
}

async function load(files: DailyFiles, { day, createdAt, updatedUntil }: StoredFile): Promise<MarketView> {
  const read = (name: FileName) => files.read({ name, format: 'rows', day })
  const interner = new Interner()
  const storedAt = Date.parse(createdAt)
  return new MarketView({
    providers: await readRows<Provider>(await read('providers'), {}, interner),
    products: await readRows<Product>(await read('rates'), productFields, interner),
    cards: [],
    changedAt: updatedUntil,
    now: () => storedAt,
  })
}

/** Markets of past days, rebuilt from the files of each day. */
export class PastMarkets {
  readonly #views = new BoundedCache<MarketView>(maxCachedProducts, ({ productCount }) => productCount + 1)
  #loading: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** Returns the market of a day (ISO date); null if it isn't stored. @throws if too many other days are being loaded. */
  async get(files: DailyFiles, dataset: Dataset, day: string): Promise<MarketView | null> {
    const [stored] = await files.list({ name: 'rates', day })
    return stored ? this.#views.get(`${dataset} ${day}`, () => this.#inTurn(() => load(files, stored))) : null
  }

  /** Runs `work` once all earlier calls have finished. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= maxWaiting) throw new Error('Too many past days are being loaded. Try again later.')
    this.#waiting++
    const result = this.#loading.then(work)
    this.#loading = result.catch(() => undefined)
    return await result.finally(() => this.#waiting--)
  }
}
