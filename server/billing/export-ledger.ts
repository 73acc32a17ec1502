import type { BillingRoom } from './billing-room.ts'
import { type LedgerLine, lineFromDb, linesOf } from './ledger-lines.ts'
import { monthOf } from './months.ts'

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

/** A cell. What a spreadsheet would take for a formula becomes text by an apostrophe; numbers keep their sign. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (line: LedgerLine): string => `${columns.map((name) => cell(line[name])).join(',')}\r\n`

const jsonLine = (line: LedgerLine, isFirst: boolean): string => `${isFirst ? '' : ',\n'}${JSON.stringify(line)}`

/**
 * A month of the ledger as text, oldest first, in pieces of up to a thousand lines: whoever writes them out holds one piece at a time, whatever the
 * length. JSON is one array. @throws BillingError when there is no such month.
 */
export async function* exportLedger({ pool }: BillingRoom, accountId: number, month: string, format: ExportFormat): AsyncGenerator<string> {
  const { first, next } = monthOf(month)
  const range = { from: String(Date.parse(first) * 1_000), to: String(Date.parse(next) * 1_000) }
  let piece = format === 'csv' ? `${columns.join(',')}\r\n` : '[\n'
  let lines = 0
  for await (const row of linesOf(pool, accountId, { range, direction: 'oldest first', after: null, batch })) {
    const line = lineFromDb(row)
    piece += format === 'csv' ? csvLine(line) : jsonLine(line, lines === 0)
    lines += 1
    if (lines % batch !== 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}${format === 'csv' ? '' : '\n]\n'}`
}
