type Row = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the rows of a response: the items of a list, or the fields of an object as two columns. Returns null for anything else, such as an error. */
export function toRows(body: unknown): readonly Row[] | null {
  const data = isRecord(body) ? body['data'] : null
  if (Array.isArray(data)) return data.length > 0 && data.every(isRecord) ? data : null
  return isRecord(data) ? Object.entries(data).map(([field, value]) => ({ field, value })) : null
}

const toText = (value: unknown): string => (value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value))

const isNumber = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))

/** Rows of a response as a table. Lists and objects inside a row are shown as JSON. */
export function AnswerTable({ rows }: { rows: readonly Row[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <table className="min-w-full font-mono text-note">
      <caption className="sr-only">Response as a table</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              className="sticky top-0 border-b border-line-strong bg-surface px-3 py-2 text-left font-medium whitespace-nowrap text-ink-2"
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order
          <tr key={at} className="border-b border-line last:border-b-0">
            {columns.map((column) => {
              const text = toText(row[column])
              return (
                <td
                  key={column}
                  title={text.length > 40 ? text : undefined}
                  className={`max-w-[22rem] truncate px-3 py-1.5 whitespace-nowrap ${isNumber(row[column]) && columns.length > 2 ? 'text-right tabular-nums' : ''}`}
                >
                  {text}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
