import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { marketFeeds } from '#server/market/generate/generate-market.ts'

/** Paths of a generated market's feeds. */
export type MarketFiles = {
  readonly providers: string
  readonly products: string
  readonly history: string
  /** Product feed with one rate in twenty changed. */
  readonly changed: string
}

const oneIn = 20

type ProductLine = { rate: string; baseRate: string }

/** Raises a rate by 0.05 percentage points. */
const raised = (rate: string) => ((Math.round(Number(rate) * 100) + 5) / 100).toFixed(2)

async function* withChanges(products: string) {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(products) })) {
    line += 1
    const product = JSON.parse(text) as ProductLine
    const changed = line % oneIn === 0 ? { ...product, rate: raised(product.rate), baseRate: raised(product.baseRate) } : product
    yield `${JSON.stringify(changed)}\n`
  }
}

/** Generates a market with a history and writes its feeds. */
export async function writeMarket(folder: string, products: number, days: number): Promise<MarketFiles> {
  const at = (name: string) => join(folder, name)
  for (const { fileName, pieces } of marketFeeds({ products, days, seed: 2026 })) await pipeline(Readable.from(pieces), createWriteStream(at(fileName)))
  const changed = at('products-changed.ndjson')
  await pipeline(Readable.from(withChanges(at('products.ndjson'))), createWriteStream(changed))
  return { providers: at('providers.ndjson'), products: at('products.ndjson'), history: at('rate-history.ndjson'), changed }
}
