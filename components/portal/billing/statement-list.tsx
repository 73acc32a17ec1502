import { monthName } from './month-name.ts'

/** Download links for the ledger of a month. */
export function StatementFiles({ month }: { month: string }) {
  const name = monthName(month)
  return (
    <span className="flex gap-4">
      {(['csv', 'json'] as const).map((format) => (
        <a key={format} className="prose-link" href={`/portal/billing/statements/${month}/ledger.${format}`} download={`ledger-${month}.${format}`}>
          <span className="sr-only">{name} as </span>
          {format.toUpperCase()}
        </a>
      ))}
    </span>
  )
}

/** Monthly statements with their downloads. */
export function StatementList({ months }: { months: readonly string[] }) {
  if (months.length === 0) return <p>No statements yet.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {months.map((month) => (
        <li key={month} className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 py-1">
          <a className="prose-link" href={`/portal/billing/statements/${month}`}>
            {monthName(month)}
          </a>
          <StatementFiles month={month} />
        </li>
      ))}
    </ul>
  )
}
