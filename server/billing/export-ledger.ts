import { csvLine } from '#server/api/contract/csv.ts'
import type { BillingDeps } from './billing-deps.ts'
import { type LedgerLine, lineFromDb, type NumberedEndpoint, streamLines } from './ledger-lines.ts'
import { type Month, parseMonth } from './months.ts'

export const exportFormats = ['csv', 'json'] as const

export type ExportFormat = (typeof exportFormats)[number]

const columns = [
  'at',
  'kind',
  'credits',
  'balanceCredits',
  'actor',
  'reason',
  'request',
  'topUp',
  'delivery',
  'endpoint',
  'key',
] as const satisfies readonly (keyof LedgerLine)[]

/** Rows per query and lines per chunk. */
const batchSize = 1_000

const csvRow = (line: LedgerLine): string => csvLine(columns.map((name) => line[name]))

const jsonLine = (line: LedgerLine, isFirst: boolean): string => `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`

type Asked = { readonly accountId: number; readonly month: string; readonly format: ExportFormat; readonly endpoints: readonly NumberedEndpoint[] }

async function* streamMonth({ pool }: BillingDeps, { accountId, format, endpoints }: Asked, { first, next }: Month): AsyncGenerator<string> {
  const range = { from: String(Date.parse(first) * 1_000), to: String(Date.parse(next) * 1_000) }
  let chunk = format === 'csv' ? csvLine(columns) : '[\n'
  let lines = 0
  for await (const row of streamLines(pool, accountId, { range, direction: 'oldest first', after: null, batchSize })) {
    const line = lineFromDb(row, endpoints)
    chunk += format === 'csv' ? csvRow(line) : jsonLine(line, lines === 0)
    lines += 1
    if (lines % batchSize !== 0) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}${format === 'csv' ? '' : '\n]\n'}`
}

/**
 * Streams a month of the ledger, oldest first, in chunks of up to a thousand lines, so memory use doesn't depend on its length. JSON is a single array.
 * @throws BillingError immediately if there is no such month
 */
export const exportLedger = (deps: BillingDeps, asked: Asked): AsyncGenerator<string> => streamMonth(deps, asked, parseMonth(asked.month))
