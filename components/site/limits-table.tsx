export type LimitLine = { readonly name: string; readonly perMinute: number; readonly perDay: number | null; readonly reach: string }

const grouped = new Intl.NumberFormat('en-GB')

/** Rate limits and reach of each plan. */
export function LimitsTable({ lines }: { lines: readonly LimitLine[] }) {
  const head = 'py-2 pr-3 text-left text-note font-medium text-ink-2 align-bottom'
  const cell = 'py-2.5 pr-3 align-top'
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">Limits of each plan</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            Plan
          </th>
          <th scope="col" className={`${head} text-right`}>
            Per minute, per key
          </th>
          <th scope="col" className={`${head} text-right`}>
            Per day, per account
          </th>
          <th scope="col" className={`${head} hidden pl-6 sm:table-cell`}>
            Endpoints included
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, perMinute, perDay, reach }) => (
          <tr key={name} className="border-b border-line">
            <th scope="row" className={`${cell} text-left font-normal`}>
              {name}
              <span className="block text-note text-ink-2 sm:hidden">{reach}</span>
            </th>
            <td className={`${cell} text-right tabular-nums`}>{grouped.format(perMinute)}</td>
            <td className={`${cell} text-right tabular-nums`}>{perDay === null ? 'No limit' : grouped.format(perDay)}</td>
            <td className={`${cell} hidden pl-6 text-ink-2 sm:table-cell`}>{reach}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
