import { csvColumns, csvHeader, csvRow } from '#server/api/contract/csv.ts'
import type { Page } from '#server/api/contract/endpoint.ts'
import { ndjsonRow } from '#server/api/contract/ndjson.ts'
import { noCaller } from '#server/api/contract/own-account.ts'
import type { Context } from '#server/api/endpoints/define.ts'
import { type SnapshotList, snapshotLists } from '#server/api/endpoints/snapshots/snapshot-lists.ts'
import type { NewFile } from '#server/market/daily-files/daily-file.ts'
import type { Dataset } from '#server/market/product.ts'
import type { MarketSnapshot } from '#server/market/snapshot.ts'

type Needs = { readonly publicUrl: string; readonly market: () => Promise<MarketSnapshot> }

/** Number of rows converted before yielding to other work. */
const batchRows = 200

/** Returns the context in which the lists are read. Logos in product rows depend on the plan, so the files omit them. */
function toContext(market: Context['market'], dataset: Dataset, publicUrl: string): Context {
  return {
    market,
    mode: dataset === 'live' ? 'live' : 'test',
    withLogos: false,
    publicUrl,
    requestId: '',
    ...noCaller,
  }
}

const readPage = async ({ endpoint }: SnapshotList, after: string | null, context: Context) =>
  (await endpoint.read({}, { limit: batchRows, after }, context)) as Page<object>

/** Yields the rows of a list from its first page on, as callers read them. */
async function* readRows(list: SnapshotList, first: Page<object>, context: Context): AsyncGenerator<object> {
  let page = first
  for (;;) {
    yield* page.rows
    const last = page.rows.at(-1)
    if (!page.more || last === undefined) return
    page = await readPage(list, page.keys?.at(-1) ?? list.endpoint.getKey(last), context)
  }
}

async function* toLines(rows: AsyncIterable<object> | Iterable<object>, toLine: (row: object) => string): AsyncGenerator<string> {
  for await (const row of rows) yield toLine(row)
}

/** Returns the files of a list that callers can download. */
async function publishedFiles(list: SnapshotList, context: Context): Promise<NewFile[]> {
  const first = await readPage(list, null, context)
  const common = { name: list.name, updatedUntil: first.updatedUntil ?? null }
  const columns = csvColumns(list.row, list.fields)
  return [
    { ...common, format: 'ndjson', lines: toLines(readRows(list, first, context), ndjsonRow) },
    { ...common, format: 'csv', header: csvHeader(columns), lines: toLines(readRows(list, first, context), (row) => csvRow(columns, row)) },
  ]
}

/** Returns a function that reads the files of a dataset from the current market: the published lists, and the rows from which the market can be rebuilt. */
export function dailyFiles({ publicUrl, market }: Needs): (dataset: Dataset) => Promise<NewFile[]> {
  return async (dataset) => {
    const view = (await market()).dataset(dataset)
    const context = toContext(view, dataset, publicUrl)
    const published: NewFile[] = []
    for (const list of snapshotLists) published.push(...(await publishedFiles(list, context)))
    const rows = { format: 'rows', updatedUntil: view.changedAt } as const
    return [
      ...published,
      { ...rows, name: 'rates', lines: toLines(view.referenceProducts({}), ndjsonRow) },
      { ...rows, name: 'providers', lines: toLines(view.providers(), ndjsonRow) },
    ]
  }
}
