import type { FeedRecord } from './validate-feed.ts'

const special = /[\\\t\n\r]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function toCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '\\N'
  return typeof value === 'string' ? value.replace(special, (character) => escapes[character] ?? '') : String(value)
}

/** Formats records for PostgreSQL's text COPY: the line number, then the fields in the given order. */
export function copyText(records: readonly FeedRecord[], fields: readonly string[]): string {
  let text = ''
  for (const { line, values } of records) {
    text += line
    for (const field of fields) text += `\t${toCell(values[field])}`
    text += '\n'
  }
  return text
}
