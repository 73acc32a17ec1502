import { csvLine } from '#server/api/contract/csv.ts'
import type { BillingRoom } from './billing-room.ts'
import { type LedgerLine, lineFromDb, linesOf, type NumberedEndpoint } from './ledger-lines.ts'
import { type Month, monthOf } from './months.ts'

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

/** Rows that are read and handed on at a time. */
const batch = 1_000

const csvRow = (line: LedgerLine): string => csvLine(columns.map((name) => line[name]))

const jsonLine = (line: LedgerLine, isFirst: boolean): string => `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`

type Asked = { readonly accountId: number; readonly month: string; readonly format: ExportFormat; readonly endpoints: readonly NumberedEndpoint[] }

async function* piecesOf({ pool }: BillingRoom, { accountId, format, endpoints }: Asked, { first, next }: Month): AsyncGenerator<string> {
  const range = { from: String(Date.parse(first) * 1_000), to: String(Date.parse(next) * 1_000) }
  let piece = format === 'csv' ? csvLine(columns) : '[\n'
  let lines = 0
  for await (const row of linesOf(pool, accountId, { range, direction: 'oldest first', after: null, batch })) {
    const line = lineFromDb(row, endpoints)
    piece += format === 'csv' ? csvRow(line) : jsonLine(line, lines === 0)
    lines += 1
    if (lines % batch !== 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}${format === 'csv' ? '' : '\n]\n'}`
}

/**
 * A month of the ledger as text, oldest first, in pieces of up to a thousand lines: whoever writes them out holds one piece at a time, whatever the
 * length. JSON is one array. @throws BillingError at once when there is no such month.
 */
export const exportLedger = (room: BillingRoom, asked: Asked): AsyncGenerator<string> => piecesOf(room, asked, monthOf(asked.month))
